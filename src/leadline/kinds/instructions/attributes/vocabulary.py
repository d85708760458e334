"""How people name attributes of documents: a table of patterns for every condition.

A pattern is matched anywhere in a sentence, without regard to case; of two that overlap the longer
match counts, so that "news article" is no article. Each row names the condition that it asks for
when nothing negates it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from leadline.kinds.instructions.attributes.languages import NAMES

CONDITIONS: dict[str, tuple[str, ...]] = {
    "audience": ("layman", "expert"),
    "format": ("forum answer", "code snippet", "official manual"),
    "language": tuple(NAMES),
    "length": ("sentence", "paragraph", "article"),
    "source": ("blog", "forum post", "news article"),
}
"""Dimension -> conditions; those of `keyword` are words, those of `language` ISO codes."""


class Mention(NamedTuple):
    """Where a sentence names a condition."""

    dimension: str
    condition: str
    start: int
    end: int


_LONG = (
    r"(?:full[- ]length|long(?:er|est|ish)?|in[- ]depth|detailed|extensive|thorough"
    r"|proper|complete|"
    r"comprehensive|lengthy|elaborate|exhaustive|extended|substantial|full|deep)"
)
_SHORT = (
    r"(?:short(?:er)?|brief|compact|single|one|medium(?:-sized|-length)?|tidy|concise|solitary|"
    r"lone|quick|bare|mere|simple|1)"
)
_TEXTS = (
    r"(?:article|piece|read|write-?up|guide|text|treatment|essay|explanation|answer|discussion|"
    r"report|post|treatise|overview|exposition|account|document|response|reply|coverage)s?"
)
_NEWSY = r"(?:news ?paper|news|press|newsroom|media|journalistic|wire)"
_PEOPLE = (
    r"(?:people|persons?|readers?|audiences?|folks?|users?|visitors?|public|consumers?|citizens?|"
    r"household(?:er)?s?|holidaymakers?|tourists?|patients?|parents?|shoppers?|travell?ers?|joe)"
)
_TRADES = (
    r"\w+ologists?|\w+icians?|doctors?|nurses?|surgeons?|registrars?|pharmacists?|dentists?|"
    r"engineers?|chemists?|physicists?|scientists?|lawyers?|attorneys?|solicitors?|barristers?|"
    r"jurists?|judges?|economists?|analysts?|traders?|fund managers?|bankers?|accountants?|"
    r"auditors?|actuar(?:y|ies)|cryptographers?|professors?|academics?|scholars?|lecturers?|"
    r"architects?|agronomists?|veterinarians?|vets|researchers?|insiders?|mechanics"
)

_ROWS: dict[tuple[str, str], tuple[str, ...]] = {
    ("length", "sentence"): (
        rf"\b(?:(?:a |the )?{_SHORT}[- ])*sentences?\b(?:[- ]long)?",
        r"\b(?:one|single|1)[- ]lin(?:e|er|ers)\b",
        r"\bin (?:a|one) line\b",
        r"\b(?:one|a|single) (?:short|brief|quick|snappy) line\b",
        r"\bin a nutshell\b",
        r"\bas (?:short|brief(?:ly)?) as\b",
        r"\bone breath\b",
        r"\b(?:short|quick|brief|snappy|terse|succinct|concise|tiny) "
        r"(?:answers?|repl(?:y|ies)|responses?|facts?|definitions?|statements?)\b",
        r"\bbare(?:st)? facts?\b",
        r"\bvery (?:short|brief)\b",
        r"\ba few words\b",
        r"\btl;? ?dr\b",
        r"\bheadline answer\b",
        r"\bsoundbites?\b",
        r"\btweet(?:-length|-sized)?\b",
        r"\bno more than a sentence\b",
        r"一句话",
        r"一句話",
    ),
    ("length", "paragraph"): (
        rf"\b(?:{_SHORT}[- ])*paragraphs?\b(?:[- ](?:sized|length|long))?",
        r"\b(?:medium|mid|middling|moderate)[- ]?(?:length|size)d?\b",
        r"\ba few sentences\b",
        r"\b(?:couple|handful) of sentences\b",
        r"\bsome sentences\b",
        r"\b(?:brief|short|concise) (?:summar(?:y|ies)|overviews?|explanations?|passages?|notes?|"
        r"accounts?|descriptions?|texts?)\b",
        r"一段话",
        r"一段話",
        r"一个段落",
        r"简短的段落",
    ),
    ("length", "article"): (
        rf"\b(?:{_LONG}[,-]? (?:and )?)+{_TEXTS}\b",
        r"\barticles?\b(?:[- ]length)?",
        r"\bessays?\b",
        r"\blong[- ]?(?:form|read|reads|read)\b",
        r"\bin[- ]depth\b",
        r"\bin (?:full|great) detail\b",
        r"\bat (?:length|great length)\b",
        r"\bevery detail\b",
        r"\bseveral (?:sections|pages)\b",
        r"\bmulti-?(?:page|section)\b",
        r"\bwith headings\b",
        r"\bfull-length\b",
        r"\blengthy\b",
        r"\bcomprehensive\b",
        r"\bexhaustive\b",
        r"\blong ones?\b",
        r"\bfull story\b",
        r"\b(?:all|full|more|much|plenty of|lots of) (?:the )?details?\b",
        r"\bthorough(?:ly)?\b",
        r"长文",
        r"详细的?文章",
        r"整篇文章",
    ),
    ("source", "blog"): (
        r"\bblog(?:s|gers?['’]?s?|ging|osphere| ?posts?| ?entr(?:y|ies)|'s)?\b",
        r"\bweblogs?\b",
        r"\bpersonal (?:web ?)?(?:sites?|pages?|stor(?:y|ies)|accounts?|diar\w+)\b",
        r"\b(?:online )?diar(?:y|ies)\b",
        r"\bsubstacks?\b",
        r"\bfirst-hand accounts?\b",
        r"博客",
    ),
    ("source", "forum post"): (
        r"\bforum(?:s|['’]s)?\b(?: (?:posts?|threads?|users?|members?"
        r"|discussions?|chatter|"
        r"comments?|topics?|talk))?",
        r"\b(?:message|discussion|bulletin|community|internet)[- ]boards?\b(?:[- ]posts?)?",
        r"\bthreads?\b",
        r"\b(?:sub)?reddit\w*\b",
        r"\bquora\b",
        r"\bonline communit(?:y|ies)\b",
        r"\bcommunity (?:members?|posts?|discussions?|sites?)\b",
        r"\bdiscussion groups?\b",
        r"\busers?['’]? (?:posts?|comments?|discussions?|opinions)\b",
        r"\bback-and-forth\b",
        r"\b(?:posts?|comments|opinions|tips|chatter) (?:by|from|of|exchanged by) (?:\w+ )?"
        r"(?:users|members|people|strangers|commenters)\b",
        r"\bcomments? sections?\b",
        r"\bchat ?rooms?\b",
        r"\bcrowd-?sourced\b",
        r"\bboard (?:posts?|members?)\b",
        r"论坛",
        r"帖子",
    ),
    ("source", "news article"): (
        rf"\b{_NEWSY}s?['’]?s?\b(?: (?:articles?|stor(?:y|ies)|reports?|coverage|outlets?|items?|"
        r"organi[sz]ations?|sites?|sources?|pieces?|clippings?|agenc(?:y|ies)|services?|reporting|"
        r"websites?|cuttings?|releases?))?",
        r"\bjournalis(?:m|ts?|tic)\b",
        r"\breporters?\b",
        r"\bdail(?:y|ies)(?: papers?)?\b",
        r"\bbroadcasters?\b",
        r"\btabloids?\b",
        r"\bheadlines\b",
        r"\bcorrespondents?\b",
        r"\bcoverage by\b",
        r"新闻",
        r"新聞",
        r"报纸",
    ),
    ("format", "forum answer"): (
        r"\bq ?(?:&|and) ?a\b(?: (?:sites?|threads?|pages?|posts?))?",
        r"\bstack ?(?:overflow|exchange)\b",
        r"\b(?:coding|programming|developer|help|support)[- ](?:help )?"
        r"(?:boards?|forums?|sites?|communit(?:y|ies)|threads?)\b",
        r"\bdeveloper communit(?:y|ies)\b",
        r"\bcommunity answers?\b",
        r"\baccepted answers?\b",
        r"\bfellow (?:developers?|programmers?|coders?|users?|sysadmins?)\b",
        r"\bboard repl(?:y|ies)\b",
        r"\brandom developers\b",
        r"\buser (?:discussions?|answers?|repl\w+)\b",
        r"\b(?:answers?|repl(?:y|ies)|posts?|responses?|advice) (?:posted )?(?:by"
        r"|from) (?:\w+ ){0,2}"
        r"(?:users?|developers?|programmers?|coders?|peers?|strangers?)\b",
        r"\bpeople helping (?:one another|each other)\b",
        r"\bpeer[- ](?:answers?|help|support)\b",
        r"\b(?:answers?|repl(?:y|ies)|solutions?) (?:somebody|someone|\w+s) (?:gave"
        r"|wrote|posted)\b",
        r"\b(?:answer|reply|response)s? to (?:somebody|someone|another|a user"
        r"|a fellow)(?:['’]s)?\b",
        r"\b(?:somebody|someone) (?:answered|explained) (?:this|it)\b",
        r"\bissue threads?\b",
    ),
    ("format", "code snippet"): (
        r"\bcode\b(?: (?:snippets?|blocks?|samples?|listings?|examples?|fragments?|only|"
        r"alone|itself))?",
        r"\bblocks? of code\b",
        r"\b(?:config\w*|command|script|query|shell|program) (?:blocks?|lines?|text)\b",
        r"\bsnippets?\b",
        r"\b(?:raw |bare |plain )?source (?:code|listing)\b",
        r"\b(?:raw|bare|plain|just) source\b",
        # A source that is cited, named or open is no code.
        r"(?<!\ba )(?<!your )(?<!any )(?<!one )(?<!news )(?<!open )(?<!data )"
        r"\bsource(?= only| on its own| alone| itself| by itself| without)",
        r"\b(?:example |program )?listings?\b",
        r"\b(?:list of )?commands?\b(?: only| alone| itself)?",
        r"\bformulas?\b(?: only| alone)?",
        r"\b(?:copy|cut)[- ](?:and[- ])?paste(?:able)?\b",
        r"\bpaste (?:\w+ )?in(?:to)?\b",
        r"\bready-made (?:query|function|script|command)\b",
        r"\bcompil(?:able|es)\b",
        r"\brunnable\b",
        r"\b(?:no|without(?: any)?|zero|minus the|skip the) (?:talk|prose"
        r"|explanations?|commentary|text|"
        r"words|chatter|narrative)\b",
        r"\bworking (?:script|example|program)s?\b",
        r"\b(?:a )?(?:script|query|regex|config(?:uration)?)(?: (?:only|alone|by itself|itself))",
        r"代码",
    ),
    ("format", "official manual"): (
        r"\bmanuals?\b(?: (?:pages?|entr(?:y|ies)))?",
        r"\bman ?pages?\b",
        r"\b(?:(?:official|reference|api|vendor(?:-style|'s)?|language|product|library|technical|"
        r"formal|directive|developer) )*(?:docs?\b|documentation\b)(?: pages?)?",
        r"\breferences?(?= (?:pages?|entr|material|manual|guide|section)|[.,;]| listing| for )",
        r"\b(?:api|language|library|command|standard library) references?\b(?: pages?)?",
        r"\breference pages?\b",
        r"\b(?:function|method|class|command|syntax|option|module|product['’]s \w+) "
        r"references?\b",
        r"\bspecifications?\b",
        r"\bhandbooks?\b",
        r"\buser guides?\b",
        r"\bhelp pages?\b",
        r"\bmanufacturer['’]?s? (?:guide|instructions)\b",
        r"手册",
        r"官方文档",
    ),
    ("audience", "layman"): (
        r"\blay(?:m[ae]n|wom[ae]n|persons?|people| readers?| audiences?| public| terms)?\b['’]?s?",
        r"\bplain(?:[- ](?:words|language|english|terms|speech))\b",
        r"\b(?:everyday|simple|ordinary|common|easy|simpler|non-?technical|homely|child-friendly) "
        r"(?:words|terms|language|english|explanations?|wording|talk|vocabulary)\b",
        r"\b(?:simply|simplified|simplistic|simple|simpler)\b(?= |,|\.|;|$)",
        r"\bdumb(?:ed)?[- ]down\b",
        r"\bbeginners?['’]?s?\b(?:[- ]level)?",
        r"\bnovices?\b",
        r"\bnewbies?\b",
        r"\bnewcomers?\b",
        r"\bstarters\b",
        r"\bamateurs?\b",
        r"\bhobbyists?\b",
        r"\buninitiated\b",
        r"\b(?:non|un)-?(?:technical|specialists?|experts?|scientists?|trained|professionals?|"
        r"academics?)\b(?: readers?| people| audiences?)?",
        rf"\b(?:ordinary|average|regular|normal|everyday|general|common) {_PEOPLE}\b",
        r"\bgeneral (?:readership|audience|interest)\b",
        r"\blaity\b",
        r"\bman in the street\b",
        r"\bpopular(?:[- ](?:explanations?|science|level|accounts?|texts?|version|articles?))\b",
        r"\b(?:children|kids?|child|pupils?|teenagers?|schoolchildren|schoolkids?"
        r"|youngsters?)\b['’]?s?"
        r"(?:[- ]level)?",
        r"\b(?:\w+|\d+)-year-olds?\b",
        r"\beli5\b",
        r"\bmy (?:grand(?:mother|father|ma|pa|dad|parents)|gran|mum|mom|mother|father|dad|"
        r"(?:little |young )?(?:niece|nephew|son|daughter|sister|brother))\b",
        r"\beas(?:y|ily)[- ]to[- ](?:read|understand|follow|grasp|digest)\b",
        r"\baccessibl[ey]\b",
        r"\bdown[- ]to[- ]earth\b",
        r"\bhome (?:cooks?|bakers?|gardeners?|owners?)\b",
        r"\b\w+-level write-up\b",
        r"\b(?:for )?dummies\b",
        r"\bthe basics\b",
        r"\bbasic\b",
        r"\bfriendly\b",
        r"\b(?:someone|somebody|anyone|anybody|people|persons?|readers?|those) "
        r"(?:who (?:has|have|is|are|knows?|does|do)(?:n['’]t)? |with )(?:never|nothing"
        r"|not|no|little|"
        r"new|know|without)\b[^,;.]*",
        r"\bknow(?:s|ing)? (?:nothing|little|next to nothing) about\b",
        r"\banalog(?:y|ies)\b",
        r"\bleaflets?\b",
        r"\bintroductory\b",
        r"\bentry[- ]level\b",
        r"\belementary\b",
        r"\bpatient[- ](?:leaflet|friendly|information)\b",
        r"\bjargon[- ]free\b",
        r"\b(?:clear|understandable|comprehensible) to (?:anyone|anybody|everyone|everybody|me)\b",
        r"\bfor (?:everyone|everybody|anyone|anybody|patients|consumers|families|tourists)\b",
        r"\bmade simple\b",
        r"\b(?:easy |gentle |simple )?introductions?\b",
        r"\bbaby steps\b",
        r"\blike I['’]m (?:five|six|ten|twelve|\d+)\b",
        r"通俗",
        r"外行",
        r"普通人",
        r"浅显",
    ),
    ("audience", "expert"): (
        r"\bexperts?\b['’]?s?(?:[- ]level)?",
        r"\bspecialis(?:ts?|ed)\b",
        r"\bspecializ(?:ed)\b",
        r"\bprofessionals?\b(?:[- ]level)?",
        r"\bpractitioners?\b",
        r"\bconnoisseurs?\b",
        r"\btechnical(?:ly|ities)?\b(?: (?:terms?|details?|terminology|language|depth"
        r"|vocabulary|jargon))?",
        r"\bacademic(?:ally)?\b(?: (?:level|tone|papers?|literature|treatment|readers))?",
        r"\bscholarly\b",
        r"\bscientific(?:ally)?\b(?: (?:terms?|detail|language|level|depth|papers?|terminology))?",
        r"\bclinical(?:ly)?\b(?: (?:terms?|terminology|language|detail|level))?",
        r"\b(?:post|under)?graduates?\b(?:[- ]level)?",
        r"\bph\.?d\.?\b",
        r"\bdoctora\w+\b",
        r"\b(?:research|engineering|university|college|industry|trade)[- ](?:grade"
        r"|level|standard)\b",
        r"\bjargon\b",
        r"\b(?:research|scientific|academic|scholarly|journal) (?:papers?|articles?|literature)\b",
        r"\bpeer (?:audience|group|readership)\b",
        r"\bterminolog(?:y|ies)\b",
        r"\bterms of art\b",
        r"\badvanced\b",
        r"\btextbooks?\b",
        r"\bpeer[- ]review(?:ed)?\b",
        rf"\b(?:{_TRADES})\b['’]?s?",
        r"\bformal (?:\w+ )?notions?\b",
        r"\brigo(?:rous|ur|r)\b",
        r"\bmechanistic\b",
        r"\bdoctrin(?:al|e)\b",
        r"\bdegrees?\b",
        r"\b(?:training|background|expertise|prior knowledge|"
        r"schooling|qualifications?)\b",
        r"\bpeers\b",
        r"\bin the (?:trade|field|profession|industry)\b",
        r"\bfor a living\b",
        r"\bmy colleagues\b",
        r"\bI (?:teach|lecture|practise|practice|research)\b",
        r"\bmy (?:dissertation|thesis|phd|lab|laboratory|clinic|practice)\b",
        r"专业",
        r"专家",
        r"学术",
    ),
}


def _language_rows() -> dict[tuple[str, str], tuple[str, ...]]:
    rows = {}
    for code, names in NAMES.items():
        latin = [re.escape(name) for name in names if name.isascii() or name[0].isascii()]
        other = [re.escape(name) for name in names if re.escape(name) not in latin]
        words = [
            rf"\b(?:simplified |traditional )?(?:{'|'.join(latin)})\b"
            r"(?:[- ](?:language|characters|version|text|pages?))?"
        ]
        rows["language", code] = (*words, *other)
    return rows


_PATTERNS = [
    (dimension, condition, re.compile(pattern, re.IGNORECASE))
    for (dimension, condition), patterns in (_ROWS | _language_rows()).items()
    for pattern in patterns
]


def mentions_in(sentence: str) -> list[Mention]:
    """Find what a sentence names, in its order; of overlapping matches the longer one counts."""
    found = [
        Mention(dimension, condition, match.start(), match.end())
        for dimension, condition, pattern in _PATTERNS
        for match in pattern.finditer(sentence)
        if match.end() > match.start()
    ]
    found.sort(key=lambda each: (each.start - each.end, each.start))
    kept: list[Mention] = []
    for mention in found:
        if all(mention.end <= each.start or each.end <= mention.start for each in kept):
            kept.append(mention)
    return sorted(kept, key=lambda each: each.start)
