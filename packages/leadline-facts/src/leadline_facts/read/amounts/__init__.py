"""Amounts of a text: money, quantities, lengths of time, percentages, numbers."""
