"""What code finds wrong with a query."""

from __future__ import annotations

import pytest

from leadline.kinds.questions.checks import faults_of, lost_names, names_of

TEXT = "Fastify 4 reloads the server when a file of the application is changed on the disk."


@pytest.mark.parametrize(
    ("query", "form", "fault"),
    [
        ("auto reload fastify", "keywords", ""),
        ("auto reload fastify HMR", "keywords", ""),
        ("How does Fastify reload after a change?", "question", ""),
        ("Fastify reload in version 5", "keywords", "a name or a number"),
        ("How does the document explain reloading?", "question", "points at the document"),
        ("Is a file of the application is changed bad?", "question", "in a row"),
        ("What does a guide to reloading the server say?", "question", "of the title"),
        ("reloading the server", "keywords", "in the title"),
        ("reload fastify app when files change?", "keywords", "it is a question"),
        ("reload fastify app", "question", "fewer words"),
    ],
)
def test_a_fault_is_named(query: str, form: str, fault: str) -> None:
    found = faults_of(query, form, "Guide to reloading the server", TEXT)
    assert fault in "; ".join(found)
    assert bool(fault) == bool(found)


def test_names_and_numbers_are_kept() -> None:
    query = "Does the GSA pay for 3 nights in New York? See eslint-plugin.js."
    assert names_of(query) == ["GSA", "3", "New", "York", "eslint-plugin.js"]
    assert lost_names(query, "gsa three nights new york eslint-plugin.js") == []
    assert lost_names("Node 1 or Node 12", "node 12") == ["1"]
