"""Read the typed literals of a text: messages, numbers, amounts, dates, times, places."""
