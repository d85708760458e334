"""Words that may say how an expression of time is meant, by class."""

from __future__ import annotations

from leadline.enrichers.learned.contexts import read_cues
from leadline.enrichers.times.calendars import MONTHS, WEEKDAYS

KINDS = (
    "date", "day_month", "weekday", "day_of_month", "day_word", "length", "period", "edge", "nth",
    "holiday", "clock", "past_hour", "month", "month_year", "year", "short_year", "age", "step",
    "day_number", "quarter",
)  # fmt: skip
"""What an expression of time may be."""

_CLASSES = {
    "denied": "not no never neither nor didn don doesn isn wasn aren weren won hasn haven hadn"
    " t",
    "imagined": "if unless would could might should suppose imagine wish whether hypothetical d",
    "unsure": "maybe perhaps possibly probably reckon think guess allegedly rumour rumoured"
    " claims supposedly reportedly hope hopes hoping either whichever tentative"
    " provisional seems sure",
    "about": "about around roughly approximately nearly almost some circa approx ish c ca over"
    " least under most barely",
    "exact": "exactly precisely sharp prompt dot itself very",
    "was": "was were had been did became",
    "is": "is are am s has have being currently now re m ve",
    "will": "will shall ll going gonna would must can need needs wants aims plans",
    "due": "due expected scheduled planned booked deadline expires expire expiring upcoming"
    " soon set slated latest deliver submit book reply revert postponed deferred"
    " adjourned moved starting starts begins opens returns resumes reopens arrives"
    " leaves departs ready ends closes runs till until",
    "please": "please kindly ensure make let remember remind don bring come send call can could",
    "irregular_past": "left went came got said bought sold began took told saw wrote sent met broke"
    " fell fed ran rang made gave found lost won built held kept put set cut hit paid"
    " drove ate flew grew knew thought brought caught taught stood sat slept woke rose"
    " spoke read heard felt led became chose bore died born done gone seen taken given"
    " written spoken known",
    "perfect": "since already yet just ever ago recently lately",
    "plan": "plan meeting appointment party flight wedding exam interview delivery trip visit"
    " session kickoff event launch sale hearing viewing lesson class rehearsal match"
    " game concert funeral",
    "last": "last past previous prior preceding late gone",
    "next": "next coming following subsequent ensuing upcoming after then",
    "this": "this current present today same that",
    "ago": "ago earlier before back previously beforehand prior since old short shy",
    "later": "later after afterwards hence on more from away time within longer",
    "early": "early ahead sooner advance beforehand",
    "in": "in",
    "on": "on",
    "at": "at @",
    "by": "by",
    "for": "for during lasting lasts lasted over",
    "from": "from starting beginning commencing as effective wef",
    "of": "of",
    "until": "until till to through thru - – —",
    "since": "since",
    "before": "before",
    "after": "after",
    "the": "the",
    "a": "a an one",
    "and": "and & plus",
    "or": "or",
    "but": "but though instead",
    "than": "than",
    "with": "with",
    "between": "between",
    "another": "another further extra additional",
    "every": "every each usually always normally weekly daily monthly annual annually yearly"
    " regular often sometimes whenever typical per most sundays mondays tuesdays"
    " wednesdays thursdays fridays saturdays nights mornings",
    "first": "first 1st opening initial",
    "nth": "second third fourth fifth 2nd 3rd 4th penultimate",
    "final": "last final end close closing",
    "start": "start beginning opening mid middle half",
    "born": "born birth birthday b née baptised",
    "age": "aged age old turned turns turn turning reaching reached",
    "anniversary": "anniversary jubilee centenary married wed wedding silver golden",
    "died": "died dead death d funeral buried passed late",
    "founded": "founded opened established est began started built launched moved joined bought"
    " formed dates introduced",
    "ended": "ended closed retired finished stopped demolished lasted left quit ended resigned",
    "went_on": "lasted took ran spent served worked lived reigned stayed kept held remained"
    " straight running row consecutive",
    "hours": "open opens closes hours opening shut shop mon closed desk counter",
    "title": "film novel book song album called titled entitled episode chapter play band"
    " series poem proverb saying motto nursery rhyme slogan story magazine podcast"
    " show",
    "inclusive": "inclusive including included both counting count day",
    "morning": "morning am breakfast dawn sunrise early a",
    "afternoon": "afternoon lunch lunchtime tea",
    "evening": "evening night tonight dinner supper dusk sunset bedtime pm p pub theatre",
    "minute": "minute minutes min mins hour hours hr hrs",
    "day": "day days night nights",
    "week": "week weeks fortnight",
    "month_word": "month months",
    "year_word": "year years yr yrs",
    "weekend": "weekend",
    "season": "spring summer autumn winter term season",
    "latin": "inst instant ult ultimo prox proximo",
    "people": "i he she they we you my our his her their its it who",
    "she": "he she who",
    "child": "son daughter baby child boy girl puppy twins",
    "colon": ":",
    "comma": ",",
    "stop": ". ; ! \n",
    "question": "?",
    "bracket": "( ) [ ]",
    "slash": "/ |",
    "quote": "\" “ ” ' ‘ ’",
    "dash": "- – —",
    "half": "half quarter",
    "relative": "that it this which then there",
    "written": "dated written posted date sent published minutes report issued signed reviewed",
    "money": "£ $ € % pounds dollars",
    "number": "no number page room flat bus route road street platform coach seat score version"
    " plot bed lot",
    "joke": "joke dream idiom as like forever ages never month again ordinary rainy",
}  # fmt: skip
_SHAPES = ("-ed", "-ing", "figure", "weekday_name", "month_name")
CUES = read_cues(_CLASSES)
NAMES = (*CUES.names, *_SHAPES, *(f"is {kind}" for kind in KINDS))
"""Of the columns that are counted: classes of words, forms of tokens, kinds of expressions."""

_DAYS = {name for day in WEEKDAYS for name in (day, day[:3], day[:4])}
_MONTHS = {name for month in MONTHS for name in (month, month[:3])}


def shape_of(token: str) -> str:
    """Return the class that the form of a token alone puts it in, empty for none."""
    if token.isdigit():
        return "figure"
    if token.endswith("ed") and len(token) > 4:
        return "-ed"
    if token.endswith("ing") and len(token) > 5:
        return "-ing"
    if token in _DAYS:
        return "weekday_name"
    return "month_name" if token in _MONTHS else ""
