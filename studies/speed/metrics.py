"""Time and memory of metrics beside pytrec_eval-terrier, ranx and the rbo package.

    python studies/speed/metrics.py [--queries 10000] [--judged 30] [--ties] [--rbo-python PATH]

Every tool runs in a process of its own on the same seeded input, dicts of dicts for rankings and
pairs of lists for RBO. Seconds are the median over the repeats after one call that warms up
(ranx compiles in it), with everything from the dicts to the values: on the clock, and of the
processor, which other work on the machine disturbs less. Memory is the peak of the
process, and how much of it the calls added to what was there before them (the input and the
imported tool). A tool that is not installed is left out and named.

The rbo package needs an old numpy: without --rbo-python it is installed, for the time of the run,
into an environment of its own.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RANKING, OVERLAP = "nDCG@10 + MRR@10 + Recall@100", "RBO@5"


def main():
    options = parsed()
    if options.tool:
        print(json.dumps(measured(options)))
        return
    for task, tools in (
        (RANKING, ("leadline", "pytrec_eval", "ranx")),
        (OVERLAP, ("leadline", "rbo")),
    ):
        size = (
            f"{options.queries} queries x {options.documents} documents, {options.judged} judged"
            if task == RANKING
            else f"{options.pairs} pairs of lists"
        )
        print(f"\n{task}: {size}")
        print(f"{'tool':14}{'seconds':>10}{'processor':>11}{'peak MiB':>11}{'added MiB':>11}")
        compare(task, tools, options)


def compare(task, tools, options):
    values = {}
    for tool in tools:
        row = run_in_process(task, tool, options)
        if "missing" in row:
            print(f"{tool:14}not measured: {row['missing']}")
            continue
        values[tool] = row["means"]
        print(
            f"{tool:14}{row['seconds']:10.3f}{row['processor']:11.3f}{row['peak']:11.0f}{row['added']:11.0f}"
        )
    for tool in list(values)[1:]:
        gap = max(abs(a - b) for a, b in zip(values["leadline"], values[tool], strict=True))
        print(f"means of leadline and {tool} differ by at most {gap:.1e}")


def run_in_process(task, tool, options):
    if tool != "rbo":
        return child(sys.executable, task, tool, options)
    if options.rbo_python:
        return child(options.rbo_python, task, tool, options)
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        installed = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "rbo==0.1.3"], capture_output=True
        )
        if installed.returncode:
            return {"missing": "pip could not install rbo==0.1.3 into an environment of its own"}
        return child(python, task, tool, options)


def child(python, task, tool, options):
    command = [python, __file__, "--tool", tool, "--task", task]
    for name in ("queries", "documents", "judged", "pairs", "repeats"):
        command += [f"--{name}", str(getattr(options, name))]
    command += ["--ties"] if options.ties else []
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    except OSError as error:
        return {"missing": f"{python} does not run: {error.strerror}"}
    if done.returncode:
        return {"missing": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def measured(options):
    task = ranking_task if options.task == RANKING else overlap_task
    call = task(options)
    call()
    seconds, processor = [], []
    for _ in range(options.repeats):
        start, start_of_processor = time.perf_counter(), time.process_time()
        means = call()
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - start_of_processor)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "seconds": statistics.median(seconds),
        "processor": statistics.median(processor),
        "peak": peak,
        "added": peak - options.base,
        "means": means,
    }


def ranking_task(options):
    """Return a call from dicts to the three means."""
    run, qrels = rankings(options)
    if options.tool == "leadline":
        from leadline.metrics.ranking import measure

        options.base = resident()

        def call():
            values = measure(run, qrels, ["nDCG@10", "MRR@10", "Recall@100"])
            return [statistics.fmean(each.values()) for each in values.values()]
    elif options.tool == "pytrec_eval":
        import pytrec_eval

        options.base = resident()

        def call():
            names = ("ndcg_cut_10", "recip_rank", "recall_100")
            wanted = {"ndcg_cut.10", "recip_rank", "recall.100"}
            values = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
            # recip_rank has no cut-off: what stands below 10 is set to 0 here.
            means = {name: [each[name] for each in values.values()] for name in names}
            means["recip_rank"] = [each if each >= 0.1 else 0.0 for each in means["recip_rank"]]
            return [statistics.fmean(means[name]) for name in names]
    else:
        import ranx

        options.base = resident()

        def call():
            names = ["ndcg@10", "mrr@10", "recall@100"]
            values = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names)
            return [float(values[name]) for name in names]

    return call


def overlap_task(options):
    """Return a call from pairs of lists to the mean overlap."""
    numbers = random.Random(0)
    ids = [f"d{n}" for n in range(12)]
    pairs = [(numbers.sample(ids, 5), numbers.sample(ids, 5)) for _ in range(options.pairs)]
    if options.tool == "leadline":
        from leadline.metrics.coherence import rbo

        options.base = resident()
        return lambda: [statistics.fmean(rbo(a, b) for a, b in pairs)]
    from rbo import RankingSimilarity

    options.base = resident()
    return lambda: [statistics.fmean(RankingSimilarity(a, b).rbo_ext(p=0.9) for a, b in pairs)]


def rankings(options):
    """Draw rankings, and graded judgements of which a third was not retrieved."""
    numbers = random.Random(0)
    run, qrels = {}, {}
    retrieved = options.judged - options.judged // 3
    for q in range(options.queries):
        ids = [
            f"d{n:06}" for n in numbers.sample(range(100_000), options.documents + options.judged)
        ]
        found, unfound = ids[: options.documents], ids[options.documents :]
        scores = (numbers.gauss(0, 1) for _ in found)
        run[f"q{q}"] = {
            each: round(score, 1) if options.ties else score
            for each, score in zip(found, scores, strict=True)
        }
        judged = [*found[:retrieved], *unfound[: options.judged - retrieved]]
        qrels[f"q{q}"] = {each: numbers.randint(0, 3) for each in judged}
        qrels[f"q{q}"][judged[0]] = 1  # every query has a relevant document
    return run, qrels


def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--judged", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--ties", action="store_true", help="round scores so that most tie")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rbo-python", help="an interpreter that has the rbo package")
    parser.add_argument("--tool", help=argparse.SUPPRESS)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.set_defaults(base=None)
    return parser.parse_args()


if __name__ == "__main__":
    main()
