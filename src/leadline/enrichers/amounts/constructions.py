"""Rules for single constructions of everyday texts, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Callable

from leadline.enrichers.amounts.ballots import derive_ballots
from leadline.enrichers.amounts.bands import derive_bands
from leadline.enrichers.amounts.bundles import derive_bundles
from leadline.enrichers.amounts.collective_numbers import derive_collectives
from leadline.enrichers.amounts.denominations import derive_denominations
from leadline.enrichers.amounts.down_payments import derive_down_payments
from leadline.enrichers.amounts.earlier_values import derive_earlier_values
from leadline.enrichers.amounts.flows import derive_flows
from leadline.enrichers.amounts.gapped_sums import derive_gapped_sums
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measured_use import derive_measured_use
from leadline.enrichers.amounts.month_days import derive_month_days
from leadline.enrichers.amounts.named_parts import derive_named_parts
from leadline.enrichers.amounts.named_shares import derive_named_shares
from leadline.enrichers.amounts.need_gaps import derive_need_gaps
from leadline.enrichers.amounts.numbered import derive_numbered
from leadline.enrichers.amounts.others_pay import derive_others_pay
from leadline.enrichers.amounts.outnumbering import derive_outnumbering
from leadline.enrichers.amounts.packing import derive_packing
from leadline.enrichers.amounts.per_one import derive_per_one
from leadline.enrichers.amounts.period_series import derive_period_series
from leadline.enrichers.amounts.price_words import derive_price_words
from leadline.enrichers.amounts.rate_shares import derive_charges, derive_rate_shares
from leadline.enrichers.amounts.ratios import derive_ratios
from leadline.enrichers.amounts.recipes import derive_recipes
from leadline.enrichers.amounts.repeated_sizes import derive_held, derive_repeated_sizes
from leadline.enrichers.amounts.rest_splits import derive_free_members, derive_rest_splits
from leadline.enrichers.amounts.scaled_amounts import derive_scaled_amounts
from leadline.enrichers.amounts.scores import derive_scores
from leadline.enrichers.amounts.shortfalls import (
    derive_further_cuts,
    derive_short_of,
    derive_shortfalls,
)
from leadline.enrichers.amounts.speeds import derive_speeds
from leadline.enrichers.amounts.standings import derive_standings
from leadline.enrichers.amounts.steps import derive_steps
from leadline.enrichers.amounts.stock_cards import derive_stock_cards
from leadline.enrichers.amounts.tallies import derive_tallies
from leadline.enrichers.amounts.tare import derive_tare
from leadline.enrichers.amounts.those_who import derive_those_present, derive_those_who
from leadline.enrichers.amounts.told_wholes import derive_told_wholes
from leadline.enrichers.amounts.turnouts import derive_turnouts
from leadline.enrichers.amounts.unequal_shares import derive_unequal_shares
from leadline.enrichers.amounts.unit_lists import derive_unit_lists
from leadline.enrichers.amounts.vacancies import derive_vacancies

_Rule = tuple[Callable[[Ledger], None], tuple[str, ...]]

_RULES: tuple[_Rule, ...] = (
    (
        derive_down_payments,
        ("payment", "instal", "months", " who ", " pay", " paid", " at §", " for §"),
    ),
    (derive_need_gaps, (" each", "apiece", "a time", " per ")),
    (derive_stock_cards, (" and §n", ": §n", ": §q", ":§n")),
    (derive_bands, ("first ", "time and", "time-and", " time", " rate")),
    (derive_numbered, ("inclu", "number", "serial", " of §n", " end", "/§n")),
    (derive_tare, ("empty", "tare", "laden", "unloaded", "emptied", "without")),
    (derive_rate_shares, (" rate", " capacity", " output", " speed", " pace", " flow", " rating")),
    (derive_month_days, ("every day", "each day", "daily", "§t")),
    (derive_outnumbering, ("outnumber", " more ", "average", "mean")),
    (derive_named_parts, ("§f", "§p")),
    (derive_earlier_values, ("§x", "up ", "down ")),
    (derive_others_pay, (" else", "the rest", "the others", "the remainder")),
    (
        derive_those_who,
        (" of those", " of these", " of the ", " in §n", " in every §n", " out of "),
    ),
    (derive_rest_splits, ("split", "shar", "divid", "halve")),
    (
        derive_gapped_sums,
        ("brought in", "raised", "earned", "took in", "yielded", "netted", "contrib"),
    ),
    (derive_shortfalls, ("against", "compar", "down from", "up from", "§m")),
    (
        derive_per_one,
        (" each ", " every ", " per ", "pay for", "paid for", " day", " week", " month"),
    ),
    (derive_tallies, ("§n",)),
    (derive_price_words, ("§m",)),
    (
        derive_scaled_amounts,
        ("proportion", "pro rata", "scal", "more", "less", "few", "in ", "accord", "adjust"),
    ),
    (
        derive_told_wholes,
        (" of the ", " of it", " of that", "the others", "the rest", " on the ", " rate", " month"),
    ),
    (derive_standings, ("win", "won", "par")),
    (
        derive_scores,
        ("§-", "§–", "§ -", " to §", " against", " no", "polled", "vote", "nay", "oppos"),
    ),
    (derive_flows, ("§n", "§q")),
    (derive_steps, ("each ", "every ", " per ", " a ", " an ")),
    (derive_unequal_shares, ("together", "between", "divided", "split", "share", " all", "total")),
    (derive_denominations, ("fiver", "tenner", "twent", "fift", "nickel", "dime", "six", "four")),
    (derive_measured_use, ("§q",)),
    (derive_ratios, ("ratio", " part", "§:", "every", "each", "outnumber", " to §", " to one")),
    (derive_recipes, ("serv", "recipe", "cook", "bak", "batch", "doubl", "halv", "flour", "feed")),
    (derive_packing, (" in", "hold", "take", "seat", "carr", "fit", "sleep", "room for", " of §")),
    (
        derive_collectives,
        (
            "pair",
            "pack",
            "couple",
            "brace",
            "trio",
            "twin",
            "score",
            "gross",
            "tet",
            " of §",
            "doz",
        ),
    ),
    (derive_repeated_sizes, ("§q", "§t", "-")),
    (derive_held, ("each", "every", " a ", " an ", " per ", " one")),
    (derive_turnouts, ("§p", "§f")),
    (derive_ballots, ("ballot", "paper", "vote", "slip", "spoil")),
    (
        derive_unit_lists,
        ("averag", "mean", "total", "sum", "all", "combined", "overall", "together"),
    ),
    (
        derive_named_shares,
        ("each", "apiece", "split", "shar", "divid", " of us", " of them", "dutch"),
    ),
    (derive_bundles, ("both", "pair", "two", "all ", "lot", "set", "bundle", "together", "combo")),
)
_FURTHER: tuple[_Rule, ...] = (
    (derive_further_cuts, ("another §m", "further §m", "extra §m", "additional §m", "final §m")),
    (
        derive_charges,
        (" of each", " of every", " of one", " of the ", " on the ", " of any", " value"),
    ),
    (derive_short_of, (" of that", " of this", " of it", " of the ", " that", " it")),
    (derive_those_present, (" of those", " of the ")),
    (derive_free_members, ("nothing", "zilch", "nowt", "nada", "free", " pay", " on us", "guest")),
    (derive_vacancies, ("§n",)),
    (derive_speeds, ("§q",)),
    (derive_period_series, ("§",)),
)


def derive_constructions(ledger: Ledger) -> None:
    """Derive what scores, ratios, recipes, packs and the like imply, before wider rules do."""
    _apply(ledger, _RULES)


def derive_further_constructions(ledger: Ledger) -> None:
    """Derive what speeds, vacancies and figures for several periods imply, after wider rules."""
    _apply(ledger, _FURTHER)


def _apply(ledger: Ledger, rules: tuple[_Rule, ...]) -> None:
    marked = ledger.passage.marked
    for rule, words in rules if ledger.passage.amounts else ():
        if any(word in marked for word in words):
            rule(ledger)
