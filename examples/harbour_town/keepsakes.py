"""Records of lost property and museum objects."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from prose import Words, capital, clock, count, day, lower, money, read_subjects, span


@dataclass(frozen=True, slots=True)
class LostItem:
    """Something handed in at the lost property office."""

    title: str
    item: str
    inside: str
    finder: str
    place: str
    found: date
    at: int
    weather: str
    condition: str
    missing: str
    kept_days: int
    number: int
    shelf: str
    fee: int
    proof: str
    office: str
    open_days: str
    opens: int
    closes: int
    reward: int
    charity: str
    calls: int
    weeks: int

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "object": self.item,
            "object_start": capital(self.item),
            "inside": self.inside,
            "finder": self.finder,
            "place": self.place,
            "date": day(self.found),
            "weekday": f"{self.found:%A}",
            "time": clock(self.at),
            "earlier": span(self.at % 50 + 10),
            "weather": self.weather,
            "condition": self.condition,
            "missing": self.missing,
            "until": day(self.found + timedelta(days=self.kept_days)),
            "number": str(self.number),
            "shelf": self.shelf,
            "fee": money(self.fee),
            "proof": self.proof,
            "office": self.office,
            "open_days": self.open_days,
            "opens": clock(self.opens),
            "closes": clock(self.closes),
            "reward": money(self.reward),
            "charity": self.charity,
            "calls": f"{self.calls} people",
            "calls_start": f"{self.calls} people",
            "weeks": str(self.weeks),
        }


def draw_lost_items(words: Words, random: Random) -> list[LostItem]:
    """Return one lost item for each subject."""
    return [_draw_lost_item(words, random, *subject) for subject in read_subjects("lost")]


def _draw_lost_item(words: Words, random: Random, title: str, item: str, inside: str) -> LostItem:
    return LostItem(
        title=title,
        item=item,
        inside=inside,
        finder=words.person(),
        place=words.draw("finding_places"),
        found=date(2025, 1, 3) + timedelta(days=random.randrange(420)),
        at=random.randrange(7 * 60, 22 * 60, 5),
        weather=words.draw("weathers"),
        condition=words.draw("conditions"),
        missing=words.draw("marks"),
        kept_days=random.choice((60, 90, 120, 180)),
        number=random.randint(1200, 9800),
        shelf=f"{random.choice('ABCDEFGH')}{random.randint(1, 24)}",
        fee=random.randrange(200, 950, 50),
        proof=words.draw("proofs"),
        office=words.draw("offices"),
        open_days=words.draw("open_days"),
        opens=random.choice((480, 510, 540, 570, 600)),
        closes=random.choice((900, 930, 960, 1020, 1080)),
        reward=random.randrange(5, 45, 5) * 100,
        charity=words.draw("charities"),
        calls=random.randint(2, 9),
        weeks=random.randint(2, 9),
    )


@dataclass(frozen=True, slots=True)
class MuseumObject:
    """An object of the Harbour Museum."""

    title: str
    item: str
    material: str
    year: int
    height: int
    width: int
    story: str
    maker: str
    room: int
    acquired: int
    donor: str
    street: str
    price: int
    number: str
    value: int
    forbidden: str
    never: str
    restorer: str
    restored: int
    restoring: int
    loan: str
    loan_start: date
    loan_days: int

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "object": self.item,
            "object_start": capital(self.item),
            "material": self.material,
            "year": str(self.year),
            "height": str(self.height),
            "width": str(self.width),
            "story": self.story,
            "story_low": lower(self.story),
            "maker": self.maker,
            "room": str(self.room),
            "acquired": str(self.acquired),
            "donor": self.donor,
            "street": self.street,
            "price": money(self.price),
            "number": self.number,
            "value": money(self.value),
            "forbidden": self.forbidden,
            "never": self.never,
            "restorer": self.restorer,
            "restored": str(self.restored),
            "restoring": count(self.restoring, "month"),
            "loan": self.loan,
            "loan_cap": capital(self.loan),
            "loan_start": day(self.loan_start),
            "loan_end": day(self.loan_start + timedelta(days=self.loan_days)),
        }


def draw_museum_objects(words: Words, random: Random) -> list[MuseumObject]:
    """Return one museum object for each subject."""
    return [_draw_museum_object(words, random, *subject) for subject in read_subjects("museum")]


def _draw_museum_object(
    words: Words,
    random: Random,
    title: str,
    item: str,
    material: str,
    year: str,
    height: str,
    width: str,
    story: str,
) -> MuseumObject:
    acquired = random.randint(1936, 2004)
    return MuseumObject(
        title=title,
        item=item,
        material=material,
        year=int(year) + random.randint(-6, 6),
        height=int(height),
        width=int(width),
        story=story,
        maker=words.person(),
        room=random.randint(1, 14),
        acquired=acquired,
        donor=words.person(),
        street=words.draw("streets"),
        price=random.randrange(20, 900, 10) * 100,
        number=f"HM {acquired}-{random.randint(11, 349)}",
        value=random.randrange(400, 26000, 200) * 100,
        forbidden=words.draw("museum_rules"),
        never=words.draw("museum_nevers"),
        restorer=words.person(),
        restored=random.randint(2006, 2024),
        restoring=random.randint(2, 11),
        loan=words.draw("museums"),
        loan_start=date(2026, 1, 5) + timedelta(days=random.randrange(300)),
        loan_days=random.randint(45, 200),
    )
