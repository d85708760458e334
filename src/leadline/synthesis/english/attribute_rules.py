"""spaCy's attribute ruler, asked once for each kind of token instead of once for each token.

Its rules give parts of speech by tags, and features of words such as "am". Nearly all look at one
token alone: at its tag, its dependency, and its word where a rule names that. The ruler itself
takes a fifth of the time of parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

_Spec = Mapping[str, Any]


class AttributeRules:
    """Does what the attribute ruler of a pipeline does.

    A document whose tokens may begin a rule of several, such as "gonna", is left to the ruler.
    """

    def __init__(self, ruler: Any) -> None:
        """Read the rules. Raises ValueError for one that looks at more of a token."""
        from spacy.tokens import Doc
        from spacy.tokens._retokenize import set_token_attrs

        self._ruler, self._doc, self._set = ruler, Doc, set_token_attrs
        rules = [rule for each in ruler.patterns for rule in each["patterns"]]
        specs = [spec for rule in rules for spec in rule]
        if unread := {name for spec in specs for name in spec} - set(_READ):
            raise ValueError(f"rules about {', '.join(sorted(unread))}")
        self._named = _Words(specs)
        first = [rule[0] for rule in rules if len(rule) > 1]
        self._begins = _Words(spec for spec in first if "LOWER" in spec)
        depends = (spec["DEP"] for spec in first if "LOWER" not in spec)
        self._begins_by_dependency = {ruler.vocab.strings[name] for name in depends}
        self._known: dict[tuple[int, int, int, bool], Sequence[Any]] = {}
        self._lower: dict[int, tuple[int, bool]] = {}

    def apply(self, doc: Any) -> None:
        """Set what the rules say of the tokens of a tagged and parsed document."""
        found = []
        for token in doc:
            lower = token.lower
            if lower not in self._lower:
                word = token.lower_
                self._lower[lower] = (lower if word in self._named else 0, word in self._begins)
            named, begins = self._lower[lower]
            dependency = token.dep
            if begins or dependency in self._begins_by_dependency:
                self._ruler(doc)
                return
            key = (token.tag, named, dependency, token.is_space)
            rules = self._known.get(key)
            if rules is None:
                rules = self._known[key] = self._rules_for(token)
            found.append((token, rules))
        for token, rules in found:
            for attributes in rules:
                self._set(token, attributes)

    def _rules_for(self, token: Any) -> Sequence[Any]:
        """Return what the ruler would set of a token, in its order."""
        alone = self._doc(
            token.vocab, words=[token.text], tags=[token.tag_], deps=[token.dep_], heads=[0]
        )
        return [self._ruler.attrs[number] for number, *_ in self._ruler.match(alone)]


_READ = ("LOWER", "TAG", "DEP", "IS_SPACE")


class _Words:
    """The words that rules name: as they are, in a list, or by a regular expression."""

    def __init__(self, specs: Iterable[_Spec]) -> None:
        self._words: set[str] = set()
        self._patterns: list[re.Pattern[str]] = []
        for name, value in _named(specs):
            if name == "IN":
                self._words.update(value)
            elif name == "REGEX":
                self._patterns.append(re.compile(value))
            else:
                raise ValueError(f"rules about words by {name}")

    def __contains__(self, word: str) -> bool:
        return word in self._words or any(each.search(word) for each in self._patterns)


def _named(specs: Iterable[_Spec]) -> Iterator[tuple[str, Any]]:
    for spec in specs:
        value = spec.get("LOWER", {})
        yield from (("IN", [value]),) if isinstance(value, str) else value.items()
