"""Words that may say how two amounts belong together, by what they signal."""

from __future__ import annotations

from leadline.enrichers.learned.contexts import read_cues

SORTS = "mqtpyxfcn"
"""Sorts of amounts; the mark of each in a text is a token, too."""

AMOUNT_CUES = read_cues(
    {
        "each": "each apiece per every pp ea @ /",
        "a": "a an",
        "total": "total altogether all combined together sum overall comes came makes made totals"
        " totalled totaled grand whole entire full",
        "rest": "rest left remaining remainder balance others other still outstanding unsold"
        " unused remain remains lacking missing leaves leaving wanting spare",
        "off": "off discount reduced knocked cut less minus deduct deducted drop dropped lower"
        " cheaper fell down decrease saved save short under below lighter slashed shed lopped"
        " shaved takes took docked fewer shorter slower faster quicker earlier smaller younger"
        " lost losing behind rebate reduction",
        "more": "more extra additional another plus added up rise rose increase increased"
        " surcharge top higher above raised gained heavier longer taller dearer grew climbed tip"
        " add adding on further bigger larger older later ahead over greater increases",
        "than": "than",
        "of": "of",
        "which": "which whom them those these including among",
        "split": "split share shared sharing divide divided halves evenly equally between among"
        " ways way chipped equal dutch",
        "from": "from was were previously originally used before last started began until"
        " formerly ago then",
        "to": "to now became today currently ended is are stands this",
        "times": "times twice double doubled triple as x × tripled fold",
        "by": "by x ×",
        "average": "average averaged mean averages averaging",
        "pay": "paid pay cost costs charged bought price fee charges pays bill paying priced worth",
        "owe": "owe owes owed change back note tenner deposit handed gave",
        "gone": "sold used ate died gone returned cancelled spent given taken eaten withdrew absent"
        " broken failed spoilt bad pulled dead empty away rejected broke withdrawn",
        "in": "in holds hold box boxes pack packs case cases tray trays bag bags crate pallet row"
        " rows bottles contains seats carton cartons dozen roll rolls tin tins table tables page"
        " pages packet packets pieces",
        "and": "and , plus &",
        "half": "half third quarter thirds quarters fifth tenth",
        "against": "against versus vs compared compares whereas while instead but",
        "only": "only just",
        "with": "with",
        "without": "without except excluding",
        "not": "not no never neither didn't don't doesn't isn't wasn't",
        "if": "if would could might should maybe perhaps unless",
        "about": "about around roughly approximately nearly almost some up least most over"
        " estimated circa ~ approx",
        "out": "out",
        "period": "hour hourly day daily week weekly month monthly year yearly nightly night"
        " minute annual",
        "order": "first second third last final next one other",
        "stop": ". ; \n ? !",
        "colon": ": – — -",
        "bracket": "( )",
        "did": "made ran walked drove worked did got had has have takes took covers grew weighed"
        " measured scored polled",
        "people": "people us we members guests children kids men women pupils students staff"
        " persons heads passengers adults",
        "same": "same another other different both either",
        "own": "my our his her their your its i he she they",
        **{f"amount {sort}": f"§{sort}" for sort in SORTS},
        "amount": " ".join(f"§{sort}" for sort in SORTS),
    }
)
