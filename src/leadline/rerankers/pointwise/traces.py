"""How reasonings ended, and what they said: kept in a file, since memory may not hold them all."""

from __future__ import annotations

import math
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from leadline.llm.requests import Answer
from leadline.rerankers.pointwise.pairs import Pair
from leadline.types import Trace

ANSWERED = "answered"
CUT = "cut at the limit, answer forced"
OTHERWISE = "answered otherwise than true or false, answer forced"
ALONE = "answered, but the other answer's likelihood was not told: answer forced"
UNANSWERED = "stopped without an answer, answer forced"
NO_ANSWER = "no answer, scored 0.5"
CALL_FAILED = "call failed, scored 0.5"

_LEVEL = 1


def last_row(answer: Answer, tokens: Sequence[str]) -> list[float]:
    """Return the log-probability of each token at the last place, -inf where it is missing.

    Of a call that failed all are NaN.
    """
    if answer.failure:
        return [math.nan] * len(tokens)
    likeliest: Mapping[str, float] = (answer.log_probabilities or ({},))[-1]
    return [likeliest.get(token, -math.inf) for token in tokens]


def both_told(row: Sequence[float]) -> bool:
    """Tell whether the likelihood of both answers is known."""
    return all(math.isfinite(value) for value in row)


def ending_of(answer: Answer, tokens: Sequence[str]) -> str:
    """Say why a reasoning left no answer that can be scored."""
    if "</think>" in answer.text:
        return OTHERWISE
    if any(math.isfinite(value) for value in last_row(answer, tokens)):
        return ALONE
    return CUT if answer.finish == "length" else UNANSWERED


class KeptTraces(Mapping[tuple[str, str], Trace]):
    """Traces by query and document. Their texts lie in a file that goes with the object."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the object)
        weakref.finalize(self, self._file.close)
        self._known: dict[tuple[str, str], tuple[int, int, Trace]] = {}
        self._end = 0

    def add(self, query_id: str, document_id: str, trace: Trace) -> None:
        """Keep a trace; one that was there is replaced."""
        packed = zlib.compress(trace.text.encode("utf-8", "surrogatepass"), _LEVEL)
        self._file.seek(self._end)
        self._file.write(packed)
        self._known[query_id, document_id] = (self._end, len(packed), replace(trace, text=""))
        self._end += len(packed)

    def add_all(
        self,
        pairs: Sequence[Pair],
        rows: Sequence[Sequence[float]],
        answers: Sequence[Answer],
        endings: Sequence[str],
    ) -> None:
        """Keep how pairs were judged.

        rows  log-probabilities of the positive and the negative answer, also of those forced
        """
        for (query, document), row, answer, ending in zip(
            pairs, rows, answers, endings, strict=True
        ):
            said = ("true" if row[0] > row[1] else "false") if both_told(row) else ""
            missing = CALL_FAILED if any(map(math.isnan, row)) else NO_ANSWER
            trace = Trace(
                text=answer.text.strip(),
                said=said,
                ending=ending if said else missing,
                tokens=answer.completion_tokens,
                prompt_tokens=answer.prompt_tokens,
            )
            self.add(query.id, document.id, trace)

    def __getitem__(self, key: tuple[str, str]) -> Trace:
        start, length, trace = self._known[key]
        self._file.seek(start)
        text = zlib.decompress(self._file.read(length)).decode("utf-8", "surrogatepass")
        return replace(trace, text=text)

    def without_texts(self) -> Iterator[tuple[tuple[str, str], Trace]]:
        """Yield all but the texts, which stay on disk."""
        return ((key, trace) for key, (_, _, trace) in self._known.items())

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
