"""Reading: whether a language model answers from the documents that it gets."""

from __future__ import annotations

from leadline.kinds.kind import Kind

KIND = Kind(
    name="reading",
    question="Does a language model answer from the documents that it is shown?",
    metrics=(),
    main=("ROUGE-1", "ExactMatch", "ChoiceLetter", "Judged"),
)
