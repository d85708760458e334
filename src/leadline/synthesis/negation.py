"""Turn a statement into its negation, and a negation into a statement, where grammar allows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline.synthesis.words import words_of

_AUXILIARY = re.compile(
    r"(?<![\w'’-])(?P<aux>is|are|was|were|can|could|will|would|should|must|has|have|had)\s"
    r"(?P<next>[\w'’-]+)",
    re.IGNORECASE,
)
_NOT_NEXT = words_of(
    """
    not no never only also either both all always just even most more mainly primarily thus
    therefore then however still already so too such now again first next subsequently further
    at because neither none nor hardly rarely seldom often usually generally sometimes
    frequently about approximately due as therefore once later finally soon thereafter to what
    how why where when who ever currently recently probably possibly perhaps some many several
    few each one two three four five six seven eight nine ten n't likely nothing nobody mostly
    partly largely but that if i he she it we they you and or in otherwise less least rather
    quite very unlikely been instead essentially actually apparently certainly merely simply
    """
)
_ADVERB = re.compile(r"\w+ly$")
_HAVE = frozenset({"has", "have", "had"})
_PARTICIPLE = re.compile(
    r"(?:\w{2,}ed|been|become|begun|come|done|found|given|gone|grown|held|kept|known|led|lost|"
    r"made|met|put|risen|run|seen|sent|set|shown|taken|told|undergone|written|built|brought|"
    r"chosen|fallen|had|left|paid|spent|won)$",
    re.IGNORECASE,
)
_SCOPED = re.compile(
    r"\b(?:all|every|each|any|some|many|several|few|most|often|sometimes|usually|either|no|not|"
    r"never|none|neither|nor|nothing|without|if|whether|unless|until|when|only|both|question|"
    r"how|what|why|although|though|while|hardly|cannot|\w+n['’]t)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(r"\b(?:once|as|since|because|after|before|till)\b", re.IGNORECASE)
_ONLY_IF = re.compile(r"\b(?:only|unless|until|either|if|because)\b", re.IGNORECASE)
_CLAUSE_BREAK = re.compile(r"[;:()?]|,\s|\b(?:and|but|or|that|which|who|where)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?<![\w'’-])(?P<aux>is|are|was|were|can|could|will|would|should|must|has|have|had|did|does|"
    r"do)\s(?P<not>not\s)(?!only|just|yet|necessarily|always|merely|all|even|that|so|be\sable|un)"
    r"|(?P<cannot>cannot)\b",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"\b(?:any|anymore|ever|yet|either|at all|nor|neither|until|but|unless|longer|anything|"
    r"anyone|much|many|again|if|whether)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?<![\w'’-])(?:(?P<there>there\s(?:is|are|was|were|has been|have been))\s|"
    r"(?P<verb>with|has|have|had|in|shows?|showed|reveals?|revealed|demonstrated|demonstrates|"
    r"reports?|reported|found|noted|see|saw|are|is|was|were|and|denotes|having)\s|"
    r"(?P<start>^|[.:;,]\s))(?P<no>no\s)(?P<rest>[^.;:()]{3,80})",
    re.IGNORECASE,
)
_NO_WORDS = words_of(
    """
    longer more less doubt matter one need other better further such attempt mention
    """
)
_MASS = words_of(
    """
    evidence distress pain edema blood bleeding fever tenderness swelling discharge drainage
    erythema cyanosis clubbing adenopathy lymphadenopathy disease information research work
    agreement progress difficulty trouble exudate exudates hepatosplenomegaly organomegaly
    jaundice dysuria hematuria nausea vomiting diarrhea constipation weakness numbness rebound
    guarding hydronephrosis shortness icterus thrush pallor thyromegaly ascites evidence growth
    damage money support interest training experience improvement use access separation shock
    heat flow
    """
)
_COUNTABLE = words_of(
    """
    history mass change difference murmur fracture lesion increase decrease effect problem
    solution attempt reason hernia stenosis rash indication sign cough headache abnormality
    fluctuation pneumothorax effusion complaint family
    """
)
_NOUN_STOP = re.compile(
    r"\b(?:of|to|for|in|on|at|by|with|or|and|was|were|is|are|that|which|between|from|as|noted|"
    r"seen|identified|present|has|have|had|found|evident|involving|made|but|this|during|upon)\b|,",
    re.IGNORECASE,
)


def find_negations(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) for edits that negate text[start:end] or undo a negation.

    Inserts "not" after an auxiliary, "no" for an article after "has" or "there is"; removes "not"
    and "no". Leaves alone what a negation would not contradict: conditionals, questions,
    statements about some or all, and sentences that already hold another negation.
    """
    sentence = text[start:end]
    if sentence.rstrip().endswith("?"):
        return
    if re.search(r"\b(?:no|not|cannot|without|never|none|nor|neither)\b|n['’]t\b", sentence, re.I):
        yield from _affirmed(text, start, end)
        return
    for match in _AUXILIARY.finditer(text, start, end):
        edit = _negated(text, start, end, match)
        if edit is not None:
            yield edit


def _negated(text: str, start: int, end: int, match: re.Match[str]) -> tuple[int, int, str] | None:
    auxiliary, following = match["aux"].lower(), match["next"].lower()
    # "has been" takes its "not" before "been"; the other words of the list refuse one.
    is_perfect = following == "been" and auxiliary in _HAVE
    if (following in _NOT_NEXT or following[0].isdigit()) and not is_perfect:
        return None
    if not _is_plain(text, start, match.start(), following):
        return None
    if _ONLY_IF.search(text, match.end(), end):
        return None
    before = text[max(start, match.start() - 8) : match.start()].lower()
    if following in {"a", "an"} and re.search(r"\bof\s\d", text[match.end() : end]):
        return None
    if following in {"a", "an"} and (auxiliary in _HAVE or before.endswith("there ")):
        if (
            text[match.end() :]
            .lstrip()
            .startswith(
                ("lot", "few", "great", "number", "good", "question", "total", "little", "need")
            )
        ):
            return None
        return match.start("next"), match.end("next"), "no"
    if before.endswith(("there ", "it ")):
        return None
    if auxiliary in _HAVE and not _PARTICIPLE.match(following):
        return None
    if auxiliary == "can":
        return match.start("aux"), match.end("aux"), match["aux"] + "not"
    return match.end("aux"), match.end("aux"), " not"


def _is_plain(text: str, start: int, place: int, following: str) -> bool:
    """Tell whether the clause before the auxiliary has a subject that a "not" contradicts."""
    if _ADVERB.match(following) and following not in {"early", "daily", "only"}:
        return False
    before = text[start:place]
    breaks = list(_CLAUSE_BREAK.finditer(before))
    clause = before[breaks[-1].end() :] if breaks else before
    if not clause.strip() or len(clause.split()) > 14 or _SUBORDINATE.search(clause):
        return False
    return not _SCOPED.search(before)


def _affirmed(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    sentence = text[start:end]
    if len(re.findall(r"\b(?:no|not|cannot|never|nor|neither)\b|n['’]t\b", sentence, re.I)) != 1:
        return
    for match in _NEGATED.finditer(text, start, end):
        if _POLAR.search(text, match.end(), end):
            continue
        if match["cannot"]:
            yield match.start(), match.end(), match["cannot"][:3]
        elif not re.search(r"\b(?:if|whether|unless|because)\b", text[start : match.start()], re.I):
            yield match.start("not"), match.end("not"), ""
    for match in _NO.finditer(text, start, end):
        rest = match["rest"]
        if rest.split()[0].lower() in _NO_WORDS or rest[0].isdigit() or _POLAR.search(rest):
            continue
        replacement = _without_no(rest, match["no"])
        if replacement is not None:
            yield match.start("no"), match.end("no") + len(replacement[0]), replacement[1]


def _without_no(rest: str, no: str) -> tuple[str, str] | None:
    """Return what to replace after "no", and by what: an article where the noun wants one."""
    stop = _NOUN_STOP.search(rest)
    words = (rest[: stop.start()] if stop else rest).split()
    if not words or len(words) > 5:
        return None
    noun = words[-1].lower().strip(",")
    listed = re.search(r",|\bor\b|\band\b", rest)
    if noun in _MASS or (noun.endswith("s") and not noun.endswith(("ss", "us", "is"))):
        article = ""
    elif noun in _COUNTABLE and not listed:
        article = "an " if words[0][0].lower() in "aeiou" else "a "
    else:
        return None
    first = rest[0]
    if not article and no[0].isupper():
        return first, first.upper()
    return ("", article.capitalize() if no[0].isupper() else article)
