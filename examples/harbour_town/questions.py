"""Questions with exactly one answer, which the records prove."""

from __future__ import annotations

from asking import Question
from prose import money


def _up(number: int, step: int) -> int:
    """Return the next multiple of `step` above `number`."""
    return (number // step + 1) * step


QUESTIONS: tuple[Question, ...] = (
    Question(
        "film",
        "Which film by $director runs for less than $limit minutes?",
        "$title",
        ("director", "minutes"),
        lambda a, b: b.director == a.director and b.minutes < _up(a.minutes, 5),
        lambda a: {"limit": str(_up(a.minutes, 5))},
    ),
    Question(
        "film",
        "In which film made before $limit do $star and $costar appear together?",
        "$title",
        ("star", "costar", "year"),
        lambda a, b: (b.star, b.costar) == (a.star, a.costar) and b.year < _up(a.year, 5),
        lambda a: {"limit": str(_up(a.year, 5))},
    ),
    Question(
        "film",
        "Who directed the film spoken in $language that is shown in $hall on a $weekday?",
        "$director",
        ("language", "hall", "weekday", "director"),
        lambda a, b: (
            (b.language, b.hall, b.screening.weekday())
            == (a.language, a.hall, a.screening.weekday())
        ),
    ),
    Question(
        "film",
        "What does the film set in $setting cost with a club card?",
        "$reduced",
        ("setting", "reduced"),
        lambda a, b: b.setting == a.setting,
    ),
    Question(
        "trip",
        "Who went to $city by $transport?",
        "$traveller and $companion",
        ("city", "transport", "traveller", "companion"),
        lambda a, b: (b.city, b.transport) == (a.city, a.transport),
    ),
    Question(
        "trip",
        "Which travellers stayed at the $hotel for $nights?",
        "$traveller and $companion",
        ("hotel", "nights"),
        lambda a, b: (b.hotel, b.nights) == (a.hotel, a.nights),
    ),
    Question(
        "trip",
        "Where did somebody pay extra for $not_included after a journey by $transport that "
        "took under $limit hours?",
        "$city",
        ("not_included", "transport", "journey"),
        lambda a, b: (
            (b.not_included, b.transport) == (a.not_included, a.transport)
            and b.minutes < _up(a.minutes, 60)
        ),
        lambda a: {"limit": str(_up(a.minutes, 60) // 60)},
    ),
    Question(
        "trip",
        "In which city did a room cost $nightly a night while the weather reached $high degrees?",
        "$city",
        ("nightly", "high"),
        lambda a, b: (b.nightly, b.high) == (a.nightly, a.high),
    ),
    Question(
        "concert",
        "Who played at $venue with a ticket price of $price?",
        "$ensemble",
        ("venue", "price"),
        lambda a, b: (b.venue, b.price) == (a.venue, a.price),
    ),
    Question(
        "concert",
        "Which concert at $venue drew more than $limit people?",
        "$title",
        ("venue", "audience"),
        lambda a, b: b.venue == a.venue and b.audience > a.audience // 50 * 50,
        lambda a: {"limit": str(a.audience // 50 * 50)},
    ),
    Question(
        "concert",
        "How long was the concert at which $moment?",
        "$length",
        ("moment", "length"),
        lambda a, b: b.moment == a.moment,
    ),
    Question(
        "concert",
        "Which musicians began at $begins and gave $encores although $negative?",
        "$ensemble",
        ("begins", "encores", "negative"),
        lambda a, b: (b.begins, b.encores, b.negative) == (a.begins, a.encores, a.negative),
    ),
    Question(
        "purchase",
        "What was bought at $shop with $discount percent off?",
        "$item",
        ("shop", "discount"),
        lambda a, b: (b.shop, b.discount) == (a.shop, a.discount),
    ),
    Question(
        "purchase",
        "Which purchase has a warranty of $warranty that excludes $uncovered?",
        "$title",
        ("warranty", "uncovered"),
        lambda a, b: (b.warranty_years, b.uncovered) == (a.warranty_years, a.uncovered),
    ),
    Question(
        "purchase",
        "What did $shop deliver in $colour?",
        "$item",
        ("shop", "colour"),
        lambda a, b: (b.shop, b.colour) == (a.shop, a.colour),
    ),
    Question(
        "purchase",
        "Who waited $delay for something that cost more than $limit after the discount?",
        "$buyer",
        ("delay", "paid"),
        lambda a, b: b.delay == a.delay and b.paid > a.paid // 5000 * 5000,
        lambda a: {"limit": money(a.paid // 5000 * 5000)},
    ),
    Question(
        "repair",
        "What did $mechanic mend at $workshop in less than $limit hours?",
        "$title",
        ("mechanic", "workshop", "hours"),
        lambda a, b: (
            (b.mechanic, b.workshop) == (a.mechanic, a.workshop)
            and b.half_hours < 2 * _up(a.half_hours // 2, 1)
        ),
        lambda a: {"limit": str(_up(a.half_hours // 2, 1))},
    ),
    Question(
        "repair",
        "Which job by $mechanic came with $guarantee months of guarantee?",
        "$title",
        ("mechanic", "guarantee"),
        lambda a, b: (b.mechanic, b.guarantee) == (a.mechanic, a.guarantee),
    ),
    Question(
        "repair",
        "Whose bill from $workshop came to less than $limit in total?",
        "$customer",
        ("workshop", "total"),
        lambda a, b: b.workshop == a.workshop and b.total < _up(a.total, 1000),
        lambda a: {"limit": money(_up(a.total, 1000))},
    ),
    Question(
        "repair",
        "How much was charged for the $thing that $fault?",
        "$total",
        ("thing", "fault", "total"),
        lambda a, b: b.fault == a.fault,
    ),
    Question(
        "house",
        "Which place with $rooms costs less than $limit a month to rent?",
        "$title",
        ("rooms", "rent"),
        lambda a, b: b.rooms == a.rooms and b.rent < _up(a.rent, 5000),
        lambda a: {"limit": money(_up(a.rent, 5000))},
    ),
    Question(
        "house",
        "What can be rented from $agency where $forbidden?",
        "$title",
        ("agency", "forbidden"),
        lambda a, b: (b.agency, b.forbidden) == (a.agency, a.forbidden),
    ),
    Question(
        "house",
        "Where in $street is there a home to let that was built before $limit?",
        "$address",
        ("address", "built"),
        lambda a, b: b.street == a.street and b.built < _up(a.built, 10),
        lambda a: {"street": a.street, "limit": str(_up(a.built, 10))},
    ),
    Question(
        "house",
        "Is there a home of more than $limit square metres that has no $missing?",
        "$title",
        ("area", "missing"),
        lambda a, b: b.missing == a.missing and b.area > a.area // 10 * 10,
        lambda a: {"limit": str(a.area // 10 * 10)},
    ),
    Question(
        "appointment",
        "When does $person have to be at the $role?",
        "$date at $time",
        ("person", "date", "time"),
        lambda a, b: b.person == a.person,
    ),
    Question(
        "appointment",
        "Which appointment on a $weekday costs more than $limit?",
        "$title",
        ("weekday", "fee"),
        lambda a, b: b.held.weekday() == a.held.weekday() and b.fee > a.fee // 1000 * 1000,
        lambda a: {"limit": money(a.fee // 1000 * 1000)},
    ),
    Question(
        "appointment",
        "Who should bring $bring?",
        "$person",
        ("bring",),
        lambda a, b: b.bring == a.bring,
    ),
    Question(
        "appointment",
        "Which visit at $time can be cancelled up to $notice hours before?",
        "$title",
        ("time", "notice"),
        lambda a, b: (b.at, b.notice) == (a.at, a.notice),
    ),
    Question(
        "recipe",
        "What can I cook for $serves people without $free_of in under $limit minutes of cooking?",
        "$title",
        ("serves", "free_of", "cooking"),
        lambda a, b: (
            (b.serves, b.free_of) == (a.serves, a.free_of) and b.cooking < _up(a.cooking, 10)
        ),
        lambda a: {"limit": str(_up(a.cooking, 10))},
    ),
    Question(
        "recipe",
        "Which dish was brought to the $feast in $since?",
        "$title",
        ("feast", "since"),
        lambda a, b: (b.feast, b.since) == (a.feast, a.since),
    ),
    Question(
        "recipe",
        "Whose recipe keeps for $keeps in $container?",
        "$cook",
        ("keeps", "container", "cook"),
        lambda a, b: (b.keeps, b.container) == (a.keeps, a.container),
    ),
    Question(
        "recipe",
        "What did $guest eat that has no $free_of in it?",
        "$title",
        ("guest", "free_of"),
        lambda a, b: b.guest == a.guest,
    ),
    Question(
        "lost",
        "What was found $place on a $weekday?",
        "$object",
        ("place", "weekday"),
        lambda a, b: (b.place, b.found.weekday()) == (a.place, a.found.weekday()),
    ),
    Question(
        "lost",
        "What is kept until $until at the lost property office?",
        "$object",
        ("until",),
        lambda a, b: b.slots()["until"] == a.slots()["until"],
    ),
    Question(
        "lost",
        "Who handed in the thing that was found together with $inside?",
        "$finder",
        ("inside", "finder"),
        lambda a, b: b.inside == a.inside,
    ),
    Question(
        "lost",
        "Which find is described as $condition and can be collected from $office?",
        "$object",
        ("condition", "office"),
        lambda a, b: (b.condition, b.office) == (a.condition, a.office),
    ),
    Question(
        "museum",
        "Which object from before $limit is in room $room of the Harbour Museum?",
        "$object",
        ("room", "year"),
        lambda a, b: b.room == a.room and b.year < _up(a.year, 10),
        lambda a: {"limit": str(_up(a.year, 10))},
    ),
    Question(
        "museum",
        "What did $donor leave or sell to the museum?",
        "$object",
        ("donor",),
        lambda a, b: b.donor == a.donor,
    ),
    Question(
        "museum",
        "Who made the museum piece of $material that is insured for more than $limit?",
        "$maker",
        ("material", "value", "maker"),
        lambda a, b: b.material == a.material and b.value > a.value // 100000 * 100000,
        lambda a: {"limit": money(a.value // 100000 * 100000)},
    ),
    Question(
        "museum",
        "Which museum piece is more than $limit cm high and has been there since $acquired?",
        "$object",
        ("height", "acquired"),
        lambda a, b: b.acquired == a.acquired and b.height > a.height // 10 * 10,
        lambda a: {"limit": str(a.height // 10 * 10)},
    ),
)
