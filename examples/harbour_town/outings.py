"""Records of films, trips and concerts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from prose import Words, capital, clock, count, day, money, read_subjects, span


@dataclass(frozen=True, slots=True)
class Film:
    """A film as the programme of a small cinema announces it."""

    title: str
    setting: str
    premise: str
    director: str
    year: int
    star: str
    costar: str
    language: str
    minutes: int
    screening: date
    begins: int
    hall: str
    price: int
    reduced: int
    age: int
    award: str
    award_year: int
    negative: str

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "title": self.title,
            "setting": self.setting,
            "premise": self.premise,
            "director": self.director,
            "year": str(self.year),
            "star": self.star,
            "costar": self.costar,
            "language": self.language,
            "minutes": str(self.minutes),
            "date": day(self.screening),
            "weekday": f"{self.screening:%A}",
            "time": clock(self.begins),
            "hall": self.hall,
            "price": money(self.price),
            "reduced": money(self.reduced),
            "age": str(self.age),
            "award": self.award,
            "award_year": str(self.award_year),
            "negative": self.negative,
        }


def draw_films(words: Words, random: Random) -> list[Film]:
    """Return one film for each subject."""
    return [_draw_film(words, random, *subject) for subject in read_subjects("film")]


def _draw_film(words: Words, random: Random, title: str, setting: str, premise: str) -> Film:
    year = random.randint(1958, 2019)
    price = random.randrange(700, 1250, 50)
    return Film(
        title=title,
        setting=setting,
        premise=premise,
        director=words.draw("directors"),
        year=year,
        star=words.draw("leads"),
        costar=words.draw("supporting_actors"),
        language=words.draw("languages"),
        minutes=random.randint(74, 148),
        screening=date(2025, 9, 1) + timedelta(days=random.randrange(240)),
        begins=random.randrange(17 * 60, 21 * 60 + 30, 15),
        hall=words.draw("halls"),
        price=price,
        reduced=price - random.randrange(150, 350, 50),
        age=random.choice((6, 12, 14, 16)),
        award=words.draw("awards"),
        award_year=year + random.randint(0, 1),
        negative=words.draw("cinema_refusals"),
    )


NORTH = {
    "Denmark", "Estonia", "Iceland", "Ireland", "Latvia", "Norway", "Scotland", "Sweden",
}  # fmt: skip
HOURS = {"plane": (2, 4), "train": (6, 14), "ferry": (7, 18), "bus": (9, 15)}
FARES = {"plane": (70, 240), "train": (48, 160), "ferry": (35, 120), "bus": (24, 70)}


@dataclass(frozen=True, slots=True)
class Trip:
    """A journey of two people from Wexholm, with what they paid."""

    city: str
    country: str
    transport: str
    highlight: str
    traveller: str
    companion: str
    start: date
    nights: int
    minutes: int
    fare: int
    hotel: str
    floor: int
    nightly: int
    not_included: str
    extra: int
    high: int
    rainy_days: int
    best_day: int
    bad_day: int
    souvenir: str
    souvenir_price: int
    mishap: str
    occasion: str

    @property
    def title(self) -> str:
        """The heading of the notes."""
        return f"{capital(count(self.nights, 'night'))} in {self.city}"

    @property
    def room_total(self) -> int:
        """What the room cost for the stay, in cents."""
        return self.nights * self.nightly

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        return {
            "city": self.city,
            "country": self.country,
            "transport": self.transport,
            "highlight": self.highlight,
            "traveller": self.traveller,
            "companion": self.companion,
            "start": day(self.start),
            "end": day(self.start + timedelta(days=self.nights)),
            "nights": count(self.nights, "night"),
            "journey": span(self.minutes),
            "fare": money(self.fare),
            "hotel": self.hotel,
            "floor": str(self.floor),
            "nightly": money(self.nightly),
            "room_total": money(self.room_total),
            "not_included": self.not_included,
            "extra": money(self.extra),
            "high": str(self.high),
            "rain": count(self.rainy_days, "day"),
            "best_day": str(self.best_day),
            "bad_day": str(self.bad_day),
            "souvenir": self.souvenir,
            "souvenir_price": money(self.souvenir_price),
            "mishap": self.mishap,
            "occasion": self.occasion,
        }


def draw_trips(words: Words, random: Random) -> list[Trip]:
    """Return one trip for each subject."""
    return [_draw_trip(words, random, *subject) for subject in read_subjects("trip")]


def _draw_trip(
    words: Words, random: Random, city: str, transport: str, highlight: str, country: str
) -> Trip:
    nights = random.randint(3, 9)
    low, high = HOURS[transport]
    cheapest, dearest = FARES[transport]
    return Trip(
        city=city,
        country=country,
        transport=transport,
        highlight=highlight,
        traveller=words.person(),
        companion=words.person(),
        start=date(random.choice((2024, 2025)), random.randint(5, 9), random.randint(1, 28)),
        nights=nights,
        minutes=random.randrange(low * 60, high * 60, 5),
        fare=random.randrange(cheapest, dearest) * 100,
        hotel=words.draw("hotels"),
        floor=random.randint(1, 5),
        nightly=random.randrange(58, 164) * 100,
        not_included=words.draw("not_in_the_rate"),
        extra=random.randrange(900, 4800, 50),
        high=random.randint(12, 19) if country in NORTH else random.randint(20, 33),
        rainy_days=random.randint(1, min(4, nights - 1)),
        best_day=random.randint(2, nights),
        bad_day=random.randint(2, nights),
        souvenir=words.draw("souvenirs"),
        souvenir_price=random.randrange(800, 6500, 50),
        mishap=words.draw("mishaps"),
        occasion=words.draw("occasions"),
    )


@dataclass(frozen=True, slots=True)
class Concert:
    """An evening of music, as the local paper wrote about it."""

    ensemble: str
    programme: str
    moment: str
    players: int
    venue: str
    held: date
    doors: int
    begins: int
    minutes: int
    interval: int
    audience: int
    price: int
    reduced: int
    encores: int
    negative: str
    support: str
    support_minutes: int
    returns: date

    @property
    def title(self) -> str:
        """The heading of the review."""
        return f"{capital(self.ensemble)} at {self.venue}"

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        players = "a single performer" if self.players == 1 else f"{self.players} performers"
        return {
            "ensemble": self.ensemble,
            "programme": self.programme,
            "programme_start": capital(self.programme),
            "moment": self.moment,
            "players": players,
            "players_start": capital(players),
            "venue": self.venue,
            "date": day(self.held),
            "weekday": f"{self.held:%A}",
            "doors": clock(self.doors),
            "begins": clock(self.begins),
            "length": span(self.minutes),
            "interval": f"with an interval of {self.interval} minutes"
            if self.interval
            else "without an interval",
            "audience": str(self.audience),
            "price": money(self.price),
            "reduced": money(self.reduced),
            "encores": count(self.encores, "encore"),
            "encores_start": count(self.encores, "encore"),
            "negative": self.negative,
            "support": self.support,
            "support_minutes": str(self.support_minutes),
            "support_used": str(self.support_minutes // 4),
            "next_date": day(self.returns),
        }


def draw_concerts(words: Words, random: Random) -> list[Concert]:
    """Return one concert for each subject."""
    return [_draw_concert(words, random, *subject) for subject in read_subjects("concert")]


def _draw_concert(
    words: Words, random: Random, ensemble: str, programme: str, moment: str, players: str
) -> Concert:
    begins = random.randrange(18 * 60, 21 * 60, 15)
    held = date(2024, 9, 1) + timedelta(days=random.randrange(500))
    price = random.randrange(900, 3200, 100)
    return Concert(
        ensemble=f"the {ensemble[4:]}" if ensemble.startswith("The ") else ensemble,
        programme=programme,
        moment=moment,
        players=int(players),
        venue=words.draw("venues"),
        held=held,
        doors=begins - random.choice((30, 45, 60)),
        begins=begins,
        minutes=random.randrange(70, 165, 5),
        interval=random.choice((0, 15, 20, 25)),
        audience=random.randint(46, 612),
        price=price,
        reduced=price * 6 // 1000 * 100,
        encores=random.randint(1, 4),
        negative=words.draw("concert_lacks"),
        support=words.person(),
        support_minutes=random.randrange(15, 45, 5),
        returns=held + timedelta(days=random.randint(21, 150)),
    )
