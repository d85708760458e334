"""How a core query words what it is about, before any instruction: our own wordings, as data."""

from __future__ import annotations

OF_TITLES = (
    "I'm looking for information on {topic}.",
    "What is known about {topic}?",
    "Tell me about {topic}.",
    "I want to read up on {topic}.",
    "What can you find on {topic}?",
    "I'm interested in {topic}.",
    "Please find something on {topic}.",
    "I'd like to know more about {topic}.",
    "What has been written on {topic}?",
    "Help me learn about {topic}.",
)
OF_THINGS = (
    "Please look this up for me: {topic}.",
    "I'm looking into this topic: {topic}.",
    "Here is what I'm looking for: {topic}.",
    "This is what I want to know about: {topic}.",
    "Search for this topic: {topic}.",
    "I'd like to know more about this: {topic}.",
    "My topic is this: {topic}.",
    "This is the topic I'm interested in: {topic}.",
)
"""For a title that would need an article to stand in a sentence."""

OF_QUESTIONS = (
    "{question}",
    "I'm wondering: {question}",
    "Can you help me with this: {question}",
    "Here is my question: {question}",
    "I'd like to know: {question}",
    "Quick question: {question}",
)
