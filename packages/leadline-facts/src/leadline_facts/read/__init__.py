"""What stands in a text, as typed literals: messages, numbers, amounts, dates, times, places."""
