"""Random input through the tools that people compare with; each is skipped where it is missing."""

import random

import pytest

from leadline.metrics import ranking
from leadline.metrics.answers import rouge1_recall
from leadline.metrics.coherence import spearman
from published_quirks import rouge2_recall, rouge_l_recall

IDS = ["a", "b", "é", "😀", "\ue000", "Z", "10", "9", *(f"d{n}" for n in range(40))]
NAMES = {
    "nDCG@5": "ndcg_cut_5", "nDCG@10": "ndcg_cut_10", "MAP@10": "map_cut_10",
    "Recall@5": "recall_5", "P@5": "P_5", "MRR@1000": "recip_rank",
}  # fmt: skip


def test_ranking_measures_equal_trec_eval():
    pytrec_eval = pytest.importorskip("pytrec_eval")
    numbers = random.Random(0)
    run, qrels = {}, {}
    for q in range(100):
        tied = [1e30, 0.99999999, 0.999999999, -0.0, 0.0]
        run[f"q{q}"] = {
            each: numbers.choice([numbers.gauss(0, 1), *tied])
            for each in numbers.sample(IDS, numbers.randint(1, 40))
        }
        judged = numbers.sample(IDS, numbers.randint(1, 20))
        qrels[f"q{q}"] = {each: numbers.randint(-1, 3) for each in judged}
    wanted = {"ndcg_cut.5,10", "map_cut.10", "recall.5", "P.5", "recip_rank"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    for ours, name in NAMES.items():
        values = ranking.measure(run, qrels, [ours], no_relevant="zero")[ours]
        assert values == pytest.approx({q: each[name] for q, each in theirs.items()}, abs=1e-12)


def test_rank_correlation_equals_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    numbers = random.Random(0)
    for _ in range(300):
        a, b = (numbers.sample("abcdefghi", numbers.randint(2, 5)) for _ in range(2))
        union = sorted({*a, *b})
        ranks = [[ids.index(each) + 1 if each in ids else 6 for each in union] for ids in (a, b)]
        if all(len(set(each)) > 1 for each in ranks):
            assert spearman(a, b) == pytest.approx(stats.spearmanr(*ranks).statistic)


def test_rouge_recall_equals_rouge_score():
    scorers = pytest.importorskip("rouge_score.rouge_scorer")
    scorer = scorers.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    numbers = random.Random(0)
    words = ["the", "running", "shoes,", "runs", "Café", "in", "2024-10-06", "visited", "April"]
    words += ["museums'", "dying", "skies", "---"]
    for _ in range(200):
        gold, output = (" ".join(numbers.choices(words, k=numbers.randint(0, 9))) for _ in range(2))
        theirs = scorer.score(gold, output)
        assert rouge1_recall(output, gold) == pytest.approx(theirs["rouge1"].recall)
        assert rouge2_recall(output, gold) == pytest.approx(theirs["rouge2"].recall)
        assert rouge_l_recall(output, gold) == pytest.approx(theirs["rougeL"].recall)
