"""Records of purchases, repairs and houses to let."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from prose import Words, capital, clock, count, day, lower, money, read_subjects, wait


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something bought, with its price, its delivery and its warranty."""

    item: str
    short: str
    detail: str
    colour: str
    weight: str
    buyer: str
    shop: str
    ordered: date
    delay: int
    promised_early: int
    list_price: int
    discount: int
    reason: str
    warranty_years: int
    uncovered: str
    payment: str
    receipt: int
    return_days: int
    postage: int

    @property
    def title(self) -> str:
        """The item with the name of its buyer."""
        bare = self.item.split(" ", 1)[1] if self.item.startswith(("a ", "an ")) else self.item
        return f"{self.buyer}'s {bare}"

    @property
    def delivered(self) -> date:
        """The day on which the item arrived."""
        return self.ordered + timedelta(days=self.delay)

    @property
    def warranty_end(self) -> date:
        """The last day of the warranty, which counts from delivery."""
        return self.delivered.replace(year=self.delivered.year + self.warranty_years)

    @property
    def paid(self) -> int:
        """The price after the discount, in cents."""
        return self.list_price * (100 - self.discount) // 100

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "item": self.item,
            "short": self.short,
            "detail": self.detail,
            "detail_low": lower(self.detail),
            "colour": self.colour,
            "weight": self.weight,
            "buyer": self.buyer,
            "shop": self.shop,
            "ordered": day(self.ordered),
            "delivered": day(self.delivered),
            "delay": wait(self.delay),
            "promised": day(self.delivered - timedelta(days=self.promised_early)),
            "list": money(self.list_price),
            "discount": str(self.discount),
            "discount_reason": self.reason,
            "paid": money(self.paid),
            "warranty": count(self.warranty_years, "year"),
            "warranty_end": day(self.warranty_end),
            "uncovered": self.uncovered,
            "payment": self.payment,
            "receipt": str(self.receipt),
            "return_days": str(self.return_days),
            "postage": money(self.postage),
        }


def draw_purchases(words: Words, random: Random) -> list[Purchase]:
    """Return one purchase for each subject."""
    return [_draw_purchase(words, random, *subject) for subject in read_subjects("purchase")]


def _draw_purchase(
    words: Words,
    random: Random,
    item: str,
    short: str,
    detail: str,
    colour: str,
    weight: str,
    euros: str,
) -> Purchase:
    delay = random.randint(3, 28)
    return Purchase(
        item=item,
        short=short,
        detail=detail,
        colour=colour,
        weight=weight,
        buyer=words.person(),
        shop=words.draw("shops"),
        ordered=date(2024, 3, 1) + timedelta(days=random.randrange(700)),
        delay=delay,
        promised_early=random.randint(1, delay - 1),
        list_price=int(euros) * 100,
        discount=random.choice((5, 8, 10, 12, 15, 20, 25)),
        reason=words.draw("discount_reasons"),
        warranty_years=random.randint(2, 6),
        uncovered=words.draw("warranty_gaps"),
        payment=words.draw("payments"),
        receipt=random.randint(10240, 98760),
        return_days=random.choice((14, 21, 30, 45, 60)),
        postage=random.randrange(590, 2490, 50),
    )


@dataclass(frozen=True, slots=True)
class Repair:
    """A job of a workshop, from the complaint to the bill."""

    title: str
    thing: str
    fault: str
    remedy: str
    part: str
    customer: str
    workshop: str
    mechanic: str
    received: date
    delay: int
    half_hours: int
    rate: int
    parts: int
    guarantee: int
    uncovered: str
    off_by: int
    advice: str
    next_check: date

    @property
    def labour(self) -> int:
        """The cost of the work, in cents."""
        return self.half_hours * self.rate // 2

    @property
    def total(self) -> int:
        """The sum of the bill, in cents."""
        return self.labour + self.parts

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        hours = self.half_hours / 2
        return {
            "thing": self.thing,
            "fault": self.fault,
            "remedy": self.remedy,
            "part": self.part,
            "customer": self.customer,
            "workshop": self.workshop,
            "mechanic": self.mechanic,
            "received": day(self.received),
            "returned": day(self.received + timedelta(days=self.delay)),
            "delay": wait(self.delay),
            "hours": "1 hour" if hours == 1 else f"{hours:g} hours",
            "rate": money(self.rate),
            "labour": money(self.labour),
            "parts": money(self.parts),
            "total": money(self.total),
            "guarantee": str(self.guarantee),
            "uncovered": self.uncovered,
            "estimate": money((self.total + self.off_by) // 1000 * 1000),
            "estimate_date": day(self.received + timedelta(days=1)),
            "advice": self.advice,
            "next_check": f"{self.next_check:%B} {self.next_check.year}",
        }


def draw_repairs(words: Words, random: Random) -> list[Repair]:
    """Return one repair for each subject."""
    return [_draw_repair(words, random, *subject) for subject in read_subjects("repair")]


def _draw_repair(
    words: Words, random: Random, title: str, thing: str, fault: str, remedy: str, part: str
) -> Repair:
    workshop, mechanic = words.draw("staff").split(" / ")
    received = date(2024, 2, 1) + timedelta(days=random.randrange(760))
    return Repair(
        title=title,
        thing=thing,
        fault=fault,
        remedy=remedy,
        part=part,
        customer=words.person(),
        workshop=workshop,
        mechanic=mechanic,
        received=received,
        delay=random.randint(3, 35),
        half_hours=random.randint(3, 17),
        rate=random.randrange(42, 78, 2) * 100,
        parts=random.randrange(900, 18000, 50),
        guarantee=random.choice((3, 6, 9, 12, 18, 24)),
        uncovered=words.draw("repair_gaps"),
        off_by=random.randrange(-4000, 6000),
        advice=words.draw("repair_advice"),
        next_check=received + timedelta(days=random.randint(200, 600)),
    )


EARLIEST = {"New-build": 2011, "Glass": 2003, "Penthouse": 1998, "telephone": 1905, "Railway": 1861}


@dataclass(frozen=True, slots=True)
class House:
    """A place to live that an agency has to let."""

    title: str
    phrase: str
    short: str
    rooms: int
    area: int
    quirk: str
    street: str
    number: int
    agency: str
    agent: str
    built: int
    rent: int
    deposit_months: int
    not_included: str
    available: date
    viewing: date
    viewed_at: int
    missing: str
    forbidden: str
    heating: str
    heating_cost: int
    walk: int
    near: str

    @property
    def address(self) -> str:
        """Number and street."""
        return f"{self.number} {self.street}"

    @property
    def deposit(self) -> int:
        """Some months of rent, in cents."""
        return self.rent * self.deposit_months

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        per_room = self.area / self.rooms
        return {
            "phrase": self.phrase,
            "short": self.short,
            "rooms": count(self.rooms, "room"),
            "area": str(self.area),
            "size_remark": "anything but cramped" if per_room > 26 else "snug rather than grand",
            "quirk": self.quirk,
            "quirk_low": lower(self.quirk),
            "address": self.address,
            "agency": self.agency,
            "agent": self.agent,
            "built": str(self.built),
            "rent": money(self.rent),
            "deposit": money(self.deposit),
            "deposit_months": count(self.deposit_months, "month"),
            "not_included": self.not_included,
            "available": day(self.available),
            "viewing": day(self.viewing),
            "weekday": f"{self.viewing:%A}",
            "time": clock(self.viewed_at),
            "missing": self.missing,
            "forbidden": self.forbidden,
            "heating": self.heating,
            "heating_start": capital(self.heating),
            "heating_cost": money(self.heating_cost),
            "walk": str(self.walk),
            "near": self.near,
            "near_start": capital(self.near),
        }


def draw_houses(words: Words, random: Random) -> list[House]:
    """Return one house for each subject."""
    return [_draw_house(words, random, *subject) for subject in read_subjects("house")]


def _draw_house(
    words: Words,
    random: Random,
    title: str,
    phrase: str,
    short: str,
    rooms: str,
    area: str,
    quirk: str,
) -> House:
    viewing = date(2025, 3, 1) + timedelta(days=random.randrange(330))
    earliest = max((year for word, year in EARLIEST.items() if word in title), default=1812)
    return House(
        title=title,
        phrase=phrase,
        short=short,
        rooms=int(rooms),
        area=int(area) + random.randint(-4, 4),
        quirk=quirk,
        street=words.draw("streets"),
        number=random.randint(2, 98),
        agency=words.draw("agencies"),
        agent=words.person(),
        built=random.randint(earliest, max(1938, earliest + 12)),
        rent=int(area) * random.randint(9, 13) * 100 // 1000 * 1000,
        deposit_months=random.randint(2, 3),
        not_included=words.draw("not_in_the_rent"),
        available=viewing + timedelta(days=random.randint(14, 70)),
        viewing=viewing,
        viewed_at=random.randrange(9 * 60, 18 * 60, 30),
        missing=words.draw("house_lacks"),
        forbidden=words.draw("house_rules"),
        heating=words.draw("heatings"),
        heating_cost=random.randrange(40, 190, 5) * 100,
        walk=random.randint(3, 28),
        near=words.draw("landmarks"),
    )
