"""Every usual format of queries gives the same ids and texts."""

import gzip

import pytest

from leadline.data.folder import read_queries
from leadline.errors import InputError

SGML = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in international criminal activity.

<narr> Narrative:
A relevant document must as a minimum identify the organization.
</top>

<top>
<num> Number: 302 </num>
<title> Topic: Poliomyelitis &amp; Post-Polio,
   x < 3
<desc> Description:
Is the disease under control?
</top>
"""

XML = """<?xml version="1.0" encoding="UTF-8"?>
<topics task="covid">
  <topic number="301" type="single"><query>International Organized Crime</query>
    <question>which ones</question><narrative>n</narrative></topic>
  <topic number="302"><query><![CDATA[Poliomyelitis & Post-Polio, x < 3]]></query></topic>
</topics>
"""

ONE_LINE = (
    "<topics><topic><number>301</number><title>International Organized Crime</title></topic>"
    "<topic><number>302</number><title>Poliomyelitis &amp; Post-Polio, x &lt; 3</title></topic>"
    "</topics>"
)

WANTED = [("301", "International Organized Crime"), ("302", "Poliomyelitis & Post-Polio, x < 3")]


def read(path, content, encoding="utf-8"):
    path.write_bytes(content.encode(encoding))
    return [(each.id, each.text) for each in read_queries(path)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("topics.txt", SGML),
        ("topics.txt", SGML.replace("\n", "\r\n")),
        ("topics.301-302", SGML),
        ("topics.xml", XML),
        ("topics.txt", XML),
        ("topics.xml", ONE_LINE),
        ("q.tsv", "301\t{}\n302\t{}\n"),
        ("q.tsv", "qid\tquery\n301\t{}\t\n302\t{}\t\n\n"),
        ("q.tsv", "Nummer\tFrage\n301\t{}\n302\t{}\n"),
        ("q.tsv", '"id"\t"text"\n"301"\t"{}"\n"302"\t"{}"\n'),
        ("q.csv", 'text,lang,id\n{},en,301\n"{}",en,302\n'),
        ("q.csv", '301,{}\n302,"{}"\n'),
        ("q.txt", "301\t{}\n302\t{}\n"),
        ("q.txt", "id\ttext\n301\t{}\n302\t{}\n"),
        ("q.txt", "301:{}\n302:{}\n"),
        ("q.txt", '{{"_id": "301", "text": "{}"}}\n{{"_id": "302", "text": "{}"}}\n'),
    ],
)
def test_topics_and_tables_give_their_ids_and_titles(tmp_path, name, content):
    if "{}" in content:
        content = content.format(*(text for _, text in WANTED))
    assert read(tmp_path / name, content) == WANTED
    assert read(tmp_path / name, content, "utf-8-sig") == WANTED


def test_packed_topics_are_read(tmp_path):
    path = tmp_path / "topics.txt.gz"
    path.write_bytes(gzip.compress(SGML.encode()))
    assert [each.id for each in read_queries(path)] == ["301", "302"]


def test_plain_lines_stay_plain_queries(tmp_path):
    lines = ["<div> centering in css", "{x} set notation", "ferry\tharbour", "10:30 ferry"]
    assert read(tmp_path / "q.txt", "\n".join(lines)) == [
        (str(number), line) for number, line in enumerate(lines, 1)
    ]


def test_a_quote_that_nothing_closes_does_not_swallow_the_next_query(tmp_path):
    assert read(tmp_path / "q.tsv", '1\t"to be\n2\tor not\n') == [("1", '"to be'), ("2", "or not")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "q.txt",
            "<top>\n<num> 1\n<desc> d\n</top>\n",
            r"q.txt:1: a TREC topic needs .* num, desc",
        ),
        ("q.xml", "<queries><query>x</query></queries>", r"holds no <top> or <topic>"),
        (
            "q.csv",
            "a,b,c\n1,2,3\n",
            r"q.csv:1: 3 columns\. A table of queries has an id and a text",
        ),
        ("q.tsv", "id\ttext\n7\n", r"q.tsv:2: 1 columns"),
        ("q.tsv", "1\tx\n1\ty\n", r"query id '1' stands twice"),
    ],
)
def test_what_is_no_list_of_queries_is_refused(tmp_path, name, content, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path / name, content)
