"""Reading and writing what users have: corpora, qrels, runs, benchmark folders."""
