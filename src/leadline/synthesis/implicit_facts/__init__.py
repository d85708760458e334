"""Benchmarks of facts that documents only imply."""
