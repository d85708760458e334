"""Names of places by kind, so that a place is exchanged for one of its kind in any letter case.

Names that are common words too in lower case (reading, nice, polish, turkey's neighbours
excepted) are left out. Within a kind a name takes "the" or does not, so that a sentence stays
fluent.
"""

from __future__ import annotations

_KINDS = {
    "country": """
        afghanistan, albania, algeria, angola, argentina, australia, austria, bahrain, bangladesh,
        barbados, belgium, bolivia, botswana, brazil, bulgaria, burma, cambodia, cameroon, canada,
        chile, china, colombia, cuba, cyprus, czechoslovakia, denmark, ecuador, egypt, england,
        estonia, ethiopia, finland, france, germany, ghana, greece, guatemala, guyana, haiti,
        honduras, hong kong, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy,
        jamaica, japan, kenya, kuwait, latvia, lebanon, libya, lithuania, luxembourg, malaysia,
        malawi, malta, mexico, mongolia, morocco, mozambique, namibia, nepal, new zealand,
        nicaragua, nigeria, northern ireland, norway, pakistan, panama, papua new guinea, paraguay,
        peru, poland, portugal, romania, russia, saudi arabia, scotland, senegal, sierra leone,
        singapore, slovakia, slovenia, somalia, south africa, south korea, spain, sri lanka,
        sweden, switzerland, syria, taiwan, tanzania, thailand, trinidad, tunisia, turkey, uganda,
        ukraine, uruguay, venezuela, vietnam, wales, west germany, east germany, yugoslavia, zaire,
        zambia, zimbabwe
    """,
    "country with the": """
        uk, usa, ussr, united kingdom, united states, soviet union, netherlands, philippines,
        german democratic republic, federal republic of germany
    """,
    "nationality": """
        albanian, american, argentinian, australian, austrian, belgian, brazilian, british,
        bulgarian, canadian, chilean, chinese, cuban, czech, danish, dutch, egyptian, finnish,
        french, german, ghanaian, greek, hungarian, icelandic, indian, indonesian, iranian, irish,
        israeli, italian, jamaican, japanese, kenyan, korean, malaysian, mexican,
        nigerian, norwegian, pakistani, peruvian, portuguese, romanian, russian,
        spanish, swedish, swiss, thai, turkish, yugoslav, zambian
    """,
    "nationality within another": "scottish, welsh, bavarian, sicilian",
    "continent": "africa, asia, europe, latin america, north america, south america",
    "state": """
        alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida,
        hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
        massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
        new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon,
        pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah, vermont,
        virginia, west virginia, wisconsin, wyoming, ontario, quebec, alberta, manitoba,
        british columbia, saskatchewan, nova scotia, new south wales, queensland, tasmania
    """,
    "city": """
        aberdeen, adelaide, amsterdam, ankara, antwerp, athens, atlanta, auckland, baghdad,
        baltimore,
        bangkok, barcelona, beijing, belfast, belgrade, berlin, birmingham, bogota, bologna,
        bombay, bonn, boston, bradford, brisbane, bristol, brussels, bucharest, budapest,
        buenos aires, cairo, calcutta, cambridge, canberra, cape town, cardiff, chicago, cincinnati,
        cleveland, cologne, copenhagen, coventry, dallas, delhi, denver, detroit, dortmund,
        dresden, dublin, dundee, durban, edinburgh, exeter, florence, frankfurt, geneva, genoa,
        glasgow, gothenburg, hamburg, hanover, heidelberg, helsinki, houston, istanbul, jakarta,
        jerusalem, johannesburg, karachi, kiev, kingston, lagos, leeds, leicester, leipzig,
        leningrad, lisbon, liverpool, ljubljana, london, los angeles, lyon, madrid, manchester,
        manila, marseille, melbourne, memphis, miami, milan, milwaukee, minneapolis, montreal,
        moscow, mumbai, munich, nairobi, naples, new delhi, new orleans, new york, newcastle,
        norwich, nottingham, osaka, oslo, ottawa, oxford, paris, philadelphia, pittsburgh, prague,
        pretoria, rome, rotterdam, san diego, san francisco, sao paulo, seattle, seoul, shanghai,
        sheffield, sofia, southampton, stockholm, strasbourg, stuttgart, swansea, sydney, tehran,
        tokyo, toronto, toulouse, turin, utrecht, vancouver, venice, vienna, warsaw, winnipeg,
        york, zagreb, zurich
    """,
    "compass": "northern, southern, eastern, western",
}

PLACES: dict[str, str] = {
    " ".join(name.split()): kind for kind, names in _KINDS.items() for name in names.split(",")
}
"""Name in lower case -> kind of place."""

ACRONYM_PLACES = frozenset({"uk", "usa", "ussr"})
