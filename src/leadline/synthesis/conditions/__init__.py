"""Queries of many conditions, with documents that break exactly one."""
