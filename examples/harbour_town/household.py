"""Records of appointments and recipes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from prose import Words, clock, count, day, lower, money, read_subjects, span, wait

OUTDOORS = {
    "bicycle fitter", "dog trainer", "driving instructor", "masseur", "potter", "swimming teacher",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Appointment:
    """A letter that confirms an appointment."""

    heading: str
    role: str
    purpose: str
    bring: str
    person: str
    professional: str
    held: date
    at: int
    minutes: int
    where: str
    address: str
    landmark: str
    trouble: str
    fee: int
    advance: int
    payment: str
    phone: str
    notice: int
    penalty: int
    moved_by: int
    early: int

    @property
    def title(self) -> str:
        """The occasion with the name of the person who comes."""
        return f"{self.heading} for {self.person}"

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "role": self.role,
            "purpose": self.purpose,
            "bring": self.bring,
            "person": self.person,
            "professional": self.professional,
            "surname": self.professional.split(" ", 1)[1],
            "date": day(self.held),
            "weekday": f"{self.held:%A}",
            "time": clock(self.at),
            "minutes": str(self.minutes),
            "where": self.where,
            "address": self.address,
            "landmark": self.landmark,
            "building_negative": self.trouble,
            "fee": money(self.fee),
            "advance": money(self.advance),
            "payment": self.payment,
            "phone": self.phone,
            "notice": str(self.notice),
            "penalty": money(self.penalty),
            "old_date": day(self.held - timedelta(days=self.moved_by)),
            "delay": wait(self.moved_by),
            "early": str(self.early),
        }


def draw_appointments(words: Words, random: Random) -> list[Appointment]:
    """Return one appointment for each subject."""
    return [_draw_appointment(words, random, *subject) for subject in read_subjects("appointment")]


def _draw_appointment(
    words: Words, random: Random, heading: str, role: str, purpose: str, bring: str
) -> Appointment:
    floor = "on the ground floor" if role in OUTDOORS else f"on floor {random.randint(1, 4)}"
    fee = random.randrange(35, 190, 5) * 100
    held = date(2025, 1, 7) + timedelta(days=random.randrange(420))
    if held.weekday() > 4:
        held += timedelta(days=2)
    working_days = [ago for ago in range(2, 40) if (held - timedelta(days=ago)).weekday() < 5]
    return Appointment(
        heading=heading,
        role=role,
        purpose=purpose,
        bring=bring,
        person=words.person(),
        professional=words.person(),
        held=held,
        at=random.randrange(8 * 60, 17 * 60 + 30, 10),
        minutes=random.randrange(20, 75, 5),
        where=floor,
        address=f"{random.randint(2, 98)} {words.draw('streets')}",
        landmark=words.draw("landmarks"),
        trouble=words.draw("building_troubles"),
        fee=fee,
        advance=fee // 5,
        payment=words.draw("fee_payments"),
        phone=f"0{random.randint(41, 49)} {random.randint(201, 989)} {random.randint(101, 989)}",
        notice=random.choice((12, 24, 36, 48, 72)),
        penalty=random.randrange(15, 60, 5) * 100,
        moved_by=random.choice(working_days),
        early=random.choice((5, 10, 15, 20)),
    )


SWEET = {
    "Almond and orange cake", "Apricot tray cake", "Baked quinces", "Plum dumplings",
    "Poppy seed plait", "Rhubarb fool", "Sour cherry soup", "Walnut and honey tart",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recipe:
    """A dish with its quantities, times and costs."""

    title: str
    description: str
    ingredients: str
    cooking: int
    heat: str
    free_of: str
    method: str
    cook: str
    since: int
    feast: str
    serves: int
    prep: int
    keeps: int
    container: str
    guest: str
    per_head: int
    market: str
    season: str
    side: str
    bad_side: str
    drink: str

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "title": self.title,
            "dish": lower(self.title),
            "description": self.description,
            "ingredients": self.ingredients,
            "cooking": str(self.cooking),
            "heat": self.heat,
            "total": span(self.prep + self.cooking),
            "free_of": self.free_of,
            "method": self.method,
            "method_low": lower(self.method),
            "cook": self.cook,
            "since": str(self.since),
            "feast": self.feast,
            "serves": str(self.serves),
            "prep": str(self.prep),
            "keeps": count(self.keeps, "day"),
            "container": self.container,
            "guest": self.guest,
            "cost": money(self.per_head * self.serves),
            "per_head": money(self.per_head),
            "market": self.market,
            "season": self.season,
            "side": self.side,
            "bad_side": self.bad_side,
            "drink": self.drink,
        }


def draw_recipes(words: Words, random: Random) -> list[Recipe]:
    """Return one recipe for each subject."""
    return [_draw_recipe(words, random, *subject) for subject in read_subjects("recipe")]


def _draw_recipe(
    words: Words,
    random: Random,
    title: str,
    description: str,
    ingredients: str,
    cooking: str,
    heat: str,
    free_of: str,
    method: str,
) -> Recipe:
    taste = "sweet_" if title in SWEET else ""
    return Recipe(
        title=title,
        description=description,
        ingredients=ingredients,
        cooking=int(cooking),
        heat=heat,
        free_of=free_of,
        method=method,
        cook=words.person(),
        since=random.randint(1979, 2022),
        feast=words.draw("feasts"),
        serves=random.choice((4, 5, 6, 8)),
        prep=random.randrange(10, 60, 5),
        keeps=random.randint(2, 5),
        container=words.draw("containers"),
        guest=words.person(),
        per_head=random.randrange(150, 690, 10),
        market=words.draw("markets"),
        season=random.choice(("spring", "summer", "autumn", "winter")),
        side=words.draw(f"{taste}sides"),
        bad_side=words.draw("bad_sweet_sides" if taste else "bad_sides"),
        drink=words.draw("drinks"),
    )
