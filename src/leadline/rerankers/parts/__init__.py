"""What second stages share: scores of pairs, orders by language models, the verifier."""
