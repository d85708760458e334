"""How much of a text there is, and what it is made of: words in any script, sentences, code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

HAN_A_WORD = 1.6
"""Chinese characters and kana that say about as much as one English word."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0003134f"
_DENSE = re.compile(f"[{_HAN}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_WORD = re.compile(r"[^\W\d_](?:[\w'’\-]*\w)?|\d[\d.,]*")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]*]*(?=\s|$)|[。！？]|\n\s*\n")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|etc|approx|No|Fig)\.$")
_TAIL = 12
"""Characters before the end of a sentence that hold any abbreviation."""
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(pre|code)\b.*?(?:</\1>|\Z)", re.DOTALL)
_CODE_LINE = re.compile(
    r"^\s*(?:"
    r"[$#>]\s?\w+ |=[A-Z]+\(|(?:def|class|import|from|fn|let|const|var|function|return|use|for|"
    r"while|if|public|static|SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|GROUP BY)\b.*[(){};:=*]"
    r"|.*[;{}]\s*$|\w+(?:\.\w+)*\(.*\)\s*$|\w+ ?[+\-*|]?= ?\S+\s*$)"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """Size and make of a text.

    words      outside code, counting `HAN_A_WORD` characters of a text without spaces as one
    sentences  at least 1 for a text that has words
    blocks     divided by blank lines, code among them
    code       characters of code
    prose      characters of all the rest that are no space
    """

    words: int
    sentences: int
    blocks: int
    code: int
    prose: int

    @property
    def share_of_code(self) -> float:
        """Characters of code among all."""
        return self.code / max(1, self.code + self.prose)


@lru_cache(maxsize=65536)
def shape_of(text: str) -> Shape:
    """Measure a text."""
    prose, code = without_code(text)
    return Shape(
        words=word_count(prose),
        sentences=len(sentences_of(prose)),
        blocks=len([block for block in re.split(r"\n\s*\n", text) if block.strip()]),
        code=len(re.sub(r"\s", "", code)),
        prose=len(re.sub(r"\s", "", prose)),
    )


def word_count(text: str) -> int:
    """Count words; where a script puts no spaces between them, `HAN_A_WORD` characters a word.

    >>> word_count("It's a well-known fact."), word_count("糖尿病是一种代谢性疾病")
    (4, 7)
    """
    dense = len(_DENSE.findall(text))
    return len(_WORD.findall(_DENSE.sub(" ", text))) + round(dense / HAN_A_WORD)


def words_of(text: str) -> list[str]:
    """Return the words of a text that puts spaces between them, as written."""
    return _WORD.findall(text)


def sentences_of(text: str) -> list[str]:
    """Cut a text into sentences, at the marks of English and of Chinese and at blank lines."""
    sentences: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text[max(start, end.end() - _TAIL) : end.end()].rstrip()):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if re.search(r"\w", sentence)]


def without_code(text: str) -> tuple[str, str]:
    """Part the code of a text from the rest: fenced blocks, else lines that look like code."""
    fences = [match.group() for match in _FENCE.finditer(text)]
    if fences:
        return _FENCE.sub("\n", text), "\n".join(fences)
    lines = text.split("\n")
    looks = [bool(line.strip()) and bool(_CODE_LINE.match(line)) for line in lines]
    if sum(looks) < 2 and not (sum(looks) == len(lines) == 1):
        return text, ""
    code = [line for line, each in zip(lines, looks, strict=True) if each]
    return "\n".join(line for line, each in zip(lines, looks, strict=True) if not each), "\n".join(
        code
    )


def has_dense_script(text: str) -> bool:
    """Tell whether a text has letters of a script without spaces (Chinese, Japanese, Thai)."""
    return _DENSE.search(text) is not None
