"""Texts that would do something in a page that did not escape them, by what they try."""

from leadline.report.templates import resource

ELSEWHERE = "http://127.0.0.1:9191"
"""Where nothing listens: what asks for it is heard."""

NOTICED = f"alert(1);console.log('ran');new Image().src='{ELSEWHERE}/ran';"


def _element(name: str, attributes: str) -> str:
    return f"<{name} {attributes}></{name}>"


HOSTILE: dict[str, str] = {
    "script": f"<script>{NOTICED}</script>",
    "end of all": f"--></style></title></textarea></details></main><script>{NOTICED}</script>",
    "events": f'<img src=x onerror="{NOTICED}"><svg onload="{NOTICED}"><body onload="{NOTICED}">',
    "attributes": f'" onmouseover="{NOTICED}" autofocus onfocus=\'{NOTICED}\' x=\' y="',
    "style": (
        f"</style><style>@import '{ELSEWHERE}/a.css'; * {{ background: url({ELSEWHERE}/b) }}"
        f"</style>{_element('link', f'rel=stylesheet href={ELSEWHERE}/c.css')}"
        f"<p style='background:url({ELSEWHERE}/d)'>"
    ),
    "style without markup": f"}} * {{ background: url({ELSEWHERE}/e) }} /* \" ' ; {{{{ ",
    "elements": (
        f"<iframe src='{ELSEWHERE}/f'></iframe><object data='{ELSEWHERE}/g'></object>"
        f"<embed src='{ELSEWHERE}/h'><base href='{ELSEWHERE}/'><video src='{ELSEWHERE}/i'></video>"
        f"<meta http-equiv=refresh content='0;url={ELSEWHERE}/j'>"
        f"<form action='{ELSEWHERE}/k'><button autofocus>x</button></form>"
    ),
    "addresses": f'<a href="javascript:{NOTICED}">x</a> javascript:{NOTICED} {ELSEWHERE}/l',
    "template": "{{ 7 * 191 }}{% include 'report.js' %}{# #}${7 * 191}#{7 * 191}<%= 7 * 191 %>",
    "line separators": f"\u2028{NOTICED}\u2029//\u0085{NOTICED}\r\n'\"`\\",
    "comments": f"<!--<script>--!><script>{NOTICED}</script><![CDATA[<script>{NOTICED}</script>]]>",
    "scripts of the page": f"</script><script>{resource('report.js')}{NOTICED}</script>",
    "the script of the page": f"</script><script>{resource('report.js')}</script>",
    "parsed twice": (
        f'<noscript><p title="</noscript><img src=x onerror={NOTICED}>">'
        f"<math><mtext><table><mglyph><style><!--</style><img src onerror={NOTICED}>"
    ),
    "escaped already": f"&lt;script&gt;{NOTICED}&lt;/script&gt;&#60;img src onerror={NOTICED}&#62;",
    "unseen": f"\u202e\u200b\ufeff\x00\x1b[31m<scr\x00ipt>{NOTICED}</script>",
}
