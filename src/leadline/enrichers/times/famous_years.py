"""Years that a text names by what happened in them: `the year men first walked on the Moon`."""

from __future__ import annotations

import re

_EVENTS = {
    1666: r"great\sfire\sof\slondon",
    1815: r"(?:battle\sof\s)?waterloo|waterloo\swas\s(?:fought|won)",
    1805: r"(?:battle\sof\s)?trafalgar",
    1066: r"(?:battle\sof\s)?hastings",
    1789: (
        r"french\srevolution\s(?:began|broke\sout)|(?:storming|fall)\sof\sthe\sbastille"
        r"|bastille\sfell"
    ),
    1776: r"american\s(?:declaration\sof\s)?independence",
    1851: r"great\sexhibition",
    1865: (r"lincoln\s(?:was\s)?(?:shot|assassinated|died|killed)|assassination\sof\slincoln"),
    1883: r"krakatoa(?:\s(?:erupted|blew))?|eruption\sof\skrakatoa",
    1901: (
        r"queen\svictoria\sdied|(?:queen\s)?victoria['’]s\sdeath"
        r"|death\sof\s(?:queen\s)?victoria"
    ),
    1906: r"san\sfrancisco\searthquake",
    1912: r"titanic\s(?:sank|went\sdown|was\slost)|sinking\sof\sthe\stitanic",
    1914: (
        r"(?:great|first\sworld)\swar\s(?:broke\sout|began|started)"
        r"|outbreak\sof\sthe\s(?:great|first\sworld)\swar"
    ),
    1916: r"easter\srising",
    1917: r"russian\srevolution|october\srevolution",
    1918: (
        r"armistice(?:\swas\ssigned)?|(?:great|first\sworld)\swar\sended"
        r"|end\sof\sthe\s(?:great|first\sworld)\swar"
    ),
    1926: r"general\sstrike",
    1929: r"wall\sstreet\s(?:crash\w*)|great\scrash",
    1936: r"(?:edward\sviii\s)?abdicat(?:ed|ion)|year\sof\s(?:the\s)?three\skings",
    1939: (
        r"(?:second\sworld\swar|world\swar\s(?:ii|two)|wwii|ww2)\s(?:broke\sout|began|started)"
        r"|outbreak\sof\s(?:the\ssecond\sworld\swar|world\swar\s(?:ii|two)|wwii|ww2)"
    ),
    1940: r"battle\sof\sbritain|dunkirk",
    1941: r"pearl\sharbor",
    1944: r"d-day(?:\slandings)?|normandy\slandings",
    1945: (
        r"(?:second\sworld\swar|world\swar\s(?:ii|two)|wwii|ww2)\sended"
        r"|end\sof\s(?:the\ssecond\sworld\swar|world\swar\s(?:ii|two)|wwii|ww2)|ve[\s-]day"
        r"|v-e\sday|hiroshima"
    ),
    1947: (
        r"(?:indian?['’]?s?|pakistan['’]?s?)\s(?:independence|partition)"
        r"|partition(?:\sof\sindia)?"
        r"|india\s(?:became\sindependent|gained\s(?:its\s)?independence)"
    ),
    1951: r"festival\sof\sbritain",
    1953: (
        r"(?:queen|elizabeth)\s(?:ii\s)?(?:was\scrowned|['’]s\scoronation)"
        r"|everest\swas\s(?:first\s)?(?:climbed|conquered)|(?:first\s)?ascent\sof\severest"
        r"|hillary\s(?:climbed|conquered|reached)[^,.;]{0,20}everest"
    ),
    1956: r"suez(?:\scrisis)?|hungarian\s(?:uprising|revolution)",
    1957: r"sputnik(?:\swas\slaunched|\swent\sup)?",
    1961: r"berlin\swall\s(?:went\sup|was\s(?:built|put\sup))|gagarin[^,.;]{0,30}space",
    1962: r"cuban\smissile\scrisis",
    1963: (
        r"(?:kennedy|jfk)\s(?:was\s)?(?:shot|assassinated|killed|died)"
        r"|(?:kennedy|jfk)['’]s\s(?:assassination|death)"
        r"|assassination\sof\s(?:jfk|kennedy)"
    ),
    1966: (
        r"england\swon\sthe\s(?:football\s)?world\scup|england['’]s\sworld\scup\swin"
        r"|aberfan"
    ),
    1967: r"summer\sof\slove|six[\s-]day\swar",
    1968: (r"prague\sspring|martin\sluther\sking\s(?:was\s)?(?:shot|killed|assassinated|died)"),
    1969: (
        r"(?:men|man|people|humans|armstrong|neil\sarmstrong|the\samericans|astronauts)\s(?:first\s)?(?:walked|landed|stepped|set\sfoot)\son\sthe\smoon"
        r"|(?:first\s)?moon[\s-]landings?|(?:first\s)?landing\son\sthe\smoon|apollo\s11"
        r"|woodstock"
    ),
    1970: r"beatles\s(?:broke|split)\sup",
    1971: r"decimali[sz]ation|bloody\ssunday\sin\sderry",
    1972: r"munich\s(?:olympics|massacre)",
    1974: r"nixon\sresigned|nixon['’]s\sresignation|carnation\srevolution",
    1975: r"fall\sof\ssaigon|saigon\sfell|franco\sdied|franco['’]s\sdeath",
    1977: r"elvis\s(?:presley\s)?died|elvis['’]s?\sdeath|death\sof\selvis",
    1979: r"iranian\srevolution|shah\s(?:fled|fell)",
    1980: (
        r"(?:john\s)?lennon\s(?:was\s)?(?:shot|killed|murdered|died)"
        r"|mount\sst\.?\shelens\s(?:erupted|blew)"
    ),
    1981: (
        r"charles\s(?:and\sdiana|married\sdiana)[^,.;]{0,12}"
        r"|charles\sand\sdiana['’]s\swedding"
    ),
    1982: r"falklands\swar",
    1984: r"bhopal(?:\sdisaster)?|indira\sgandhi\s(?:was\s)?(?:shot|assassinated|killed)",
    1985: r"live\said",
    1986: (
        r"chernobyl(?:\s(?:disaster|blew\sup|exploded|accident))?"
        r"|challenger\s(?:exploded|disaster)"
    ),
    1988: r"lockerbie",
    1989: (
        r"(?:berlin\s)?wall\s(?:came\sdown|fell)|fall\sof\sthe\s(?:berlin\s)?wall"
        r"|tiananmen(?:\ssquare)?|hillsborough"
    ),
    1990: (
        r"(?:nelson\s)?mandela\s(?:was\s(?:freed|released)|walked\sfree|came\sout)"
        r"|german\sreunification|germany\swas\sreunited"
    ),
    1991: (
        r"soviet\sunion\s(?:collapsed|broke\sup|fell|ended|dissolved)"
        r"|(?:collapse|fall|break-?up)\sof\sthe\s(?:soviet\sunion|ussr)"
    ),
    1992: r"barcelona\solympics",
    1994: (
        r"channel\stunnel\sopened|opening\sof\sthe\schannel\stunnel"
        r"|mandela\s(?:became|was\selected)\spresident"
    ),
    1996: r"atlanta\solympics",
    1997: (
        r"(?:princess\s)?diana\s(?:died|was\skilled)|(?:princess\s)?diana['’]s\sdeath"
        r"|death\sof\s(?:princess\s)?diana"
        r"|hong\skong\s(?:was\s(?:handed\sback|returned)|handover)"
        r"|handover\sof\shong\skong"
    ),
    1998: r"good\sfriday\sagreement",
    2000: r"sydney\solympics|millennium\s(?:bug|celebrations)",
    2001: r"9/11|september\s11|twin\stowers\s(?:fell|came\sdown)",
    2002: (
        r"euro\s(?:notes\sand\scoins\s)?(?:came\sin|was\sintroduced|replaced|arrived)[^,.;]{0,20}"
        r"|queen\smother\sdied"
    ),
    2003: r"invasion\sof\siraq|iraq\s(?:was\sinvaded|invasion)",
    2004: r"(?:indian\socean|boxing\sday|asian)\stsunami|athens\solympics",
    2005: r"hurricane\skatrina|katrina|london\sbombings",
    2008: (
        r"lehman(?:\sbrothers)?\s(?:collapsed|went\s(?:under|bust)|failed|fell)"
        r"|(?:collapse|fall)\sof\slehman(?:\sbrothers)?|beijing\solympics"
        r"|obama\swas\s(?:first\s)?elected"
    ),
    2009: r"michael\sjackson\sdied",
    2010: r"eyjafjallaj[öo]kull(?:\serupted)?|haiti\searthquake|deepwater\shorizon",
    2011: r"fukushima(?:\sdisaster)?|arab\sspring",
    2012: r"london\solympics",
    2016: r"rio\solympics|brexit\s(?:referendum|vote)|bowie\sdied|prince\sdied",
    2019: r"notre[\s-]dame\s(?:burn(?:ed|t)|caught\sfire|fire)",
    2020: (
        r"(?:covid|coronavirus|the\spandemic)\s(?:hit|struck|arrived|began|broke\sout)"
        r"|first\s(?:covid\s)?lockdown"
    ),
    2022: r"(?:the\s)?queen\sdied|elizabeth\sii\sdied|queen['’]s\sdeath",
}
_ANY = "|".join(_EVENTS.values())
FAMOUS_PATTERN = (
    r"(?:the\s(?:same\s)?(?:year|summer|autumn|winter|spring)\s(?:(?:that|when|in\swhich|of)\s)?(?:the\s)?(?P<famous>"
    rf"{_ANY}))\b"
)
"""Regular expression of a year named by an event, in lower case; use its group `famous`."""
_AFTER = re.compile(rf"\s(?:the\s)?(?P<event>{_ANY})\b")
_RULES = {year: re.compile(rule) for year, rule in _EVENTS.items()}


def famous_year(event: str) -> int | None:
    """Return the year of what a match of `FAMOUS_PATTERN` names."""
    return next((year for year, rule in _RULES.items() if rule.fullmatch(event)), None)


def year_of_event_at(lower: str, at: int, end: int) -> tuple[int, tuple[int, int]] | None:
    """Return the year and the span of a famous event named right at a place of a text."""
    match = _AFTER.match(lower, at, end)
    year = famous_year(match["event"]) if match else None
    return (year, match.span("event")) if match and year else None
