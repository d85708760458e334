"""The golden families `rouge_recall` and `paper_tables`: answers and printed means."""

from statistics import fmean

import published_quirks as published
from leadline.metrics import answers


def rouge_recall(mode):
    def handler(inputs, expected):
        gold, output = inputs["gold"], inputs["response"]
        ours = {"rouge-1-recall": answers.rouge1_recall(output, gold, mode=mode)}
        if mode == "published":
            found = answers.extract_answer(output, mode="published")
            ours["EM"] = int(found == answers.joined(gold))
            ours["contains"] = int(answers.joined(gold) in found)
            ours["rouge-2-recall"] = published.rouge2_recall(found, gold)
            ours["rouge-l-recall"] = published.rouge_l_recall(found, gold)
        return ours

    return handler


def paper_table(inputs, expected):
    values, printed = inputs["values"], expected["printed"]
    # JSON drops trailing zeros: the longest number says how many decimals the table prints.
    decimals = max(len(str(value).partition(".")[2]) for value in (*values, printed))
    cells = [f"{value:.{decimals}f}" for value in values]
    agrees = published.follows_from_cells(f"{printed:.{decimals}f}", cells)
    return {"mean": fmean(values), "printed": printed, "agrees": agrees}


HANDLERS = {
    "rouge_recall": {("rouge_recall", mode): rouge_recall(mode) for mode in answers.ROUGE_MODES},
    "paper_tables": {
        (name, "default"): paper_table
        for name in (
            "bright_macro_mean",
            "followir_score_mean",
            "followir_pmrr_mean",
            "flip_rate_domain_mean",
            "wr_adjacent_mean",
            "impliret_average",
            "impliret_category",
        )
    },
}
