"""Read and write the user's data: corpora, queries, qrels, runs, benchmark folders."""
