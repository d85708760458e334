"""Who speaks and what is sold: names that are unique where the question needs it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from leadline.errors import InputError
from leadline.kinds.implicit_facts.frames import sections

FORUM_SHARE = 2
"""Family names of arithmetic forums are every second one; the other forums take the rest."""

_CHAT_POOLS = ("arithmetic_unispeaker", "temporal_unispeaker", "wknow_unispeaker")
_MAIN_SHARE = 0.5


class Cast:
    """The names of a whole benchmark, by seed.

    A main speaker occurs in one tuple set of one pool and nowhere else, not even as a second
    speaker. Members of arithmetic forums occur in one document of the whole benchmark. Within a
    tuple set all given names differ.
    """

    def __init__(self, given: Sequence[str], family: Sequence[str], seed: int) -> None:
        rng = random.Random(f"{seed} cast")
        given, family = list(given), list(family)
        rng.shuffle(given)
        rng.shuffle(family)
        count = int(len(given) * _MAIN_SHARE)
        self._mains, self._others = given[:count], given[count:]
        self._unique_families = family[::FORUM_SHARE]
        self._families = [name for i, name in enumerate(family) if i % FORUM_SHARE]
        self._taken: set[str] = set()

    def main(self, pool: str, tuple_set: int) -> str:
        """Return the main speaker of a tuple set."""
        number = tuple_set * len(_CHAT_POOLS) + _CHAT_POOLS.index(pool)
        if number >= len(self._mains):
            most = len(self._mains) // len(_CHAT_POOLS)
            raise InputError(f"There are names for {most} sets of chats. Ask for fewer --sets.")
        return self._mains[number]

    def partners(self, size: int, rng: random.Random) -> list[str]:
        """Return the second speakers of a tuple set, all different."""
        return self._different(size, rng)

    def members(self, size: int, rng: random.Random) -> list[str]:
        """Return the members of a thread, most with a family name, no two alike."""
        return [
            f"{name} {rng.choice(self._families)}" if rng.random() < 0.6 else name
            for name in self._different(size, rng)
        ]

    def unique_members(self, size: int, rng: random.Random) -> list[str]:
        """Return the members of a thread whose full names occur in no other."""
        members = []
        for name in self._different(size, rng):
            free = [f for f in self._unique_families if f"{name} {f}" not in self._taken]
            if not free:
                raise InputError("The names for threads are used up. Ask for fewer --sets.")
            members.append(f"{name} {rng.choice(free)}")
        self._taken.update(members)
        return members

    def _different(self, size: int, rng: random.Random) -> list[str]:
        if size > len(self._others):
            raise InputError(
                f"There are names for {len(self._others)} documents a set, not {size}. "
                "Ask for fewer --tuples."
            )
        return rng.sample(self._others, size)


def invented_brands(count: int, rng: random.Random, family: Sequence[str]) -> list[str]:
    """Return names of makers, all different, that no list of real makers was used for."""
    parts = sections("brand_parts.txt")
    beginnings, ends, marks = (
        [word for line in parts[key] for word in line.split()]
        for key in ("beginnings", "ends", "marks")
    )
    houses = [word for line in parts["houses"] for word in line.split("|")]
    stems = [f"{first}{last}" for first in beginnings for last in ends if first[-1] != last[0]]
    if count > len(stems):
        raise InputError(f"There are {len(stems)} names of makers, not {count}.")
    plain = [name for name in family if "-" not in name]
    pairs = iter(rng.sample([(a, b) for a in plain for b in plain if a < b], count))
    brands = []
    for stem in rng.sample(stems, count):
        shape = rng.random()
        if shape < 0.55:
            brands.append(stem)
        elif shape < 0.7:
            brands.append(f"{rng.choice(marks)} {stem}")
        elif shape < 0.85:
            brands.append(f"{stem} {rng.choice(houses)}")
        else:
            brands.append(" & ".join(next(pairs)))
    return brands
