"""Code that rerankers share: scores of pairs, orders by language models, the verifier."""
