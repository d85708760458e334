"""Train retrievers and rerankers from examples."""
