"""The SO-Bench vectors and how a score is read in their terms."""

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

from sobench_metrics import sobench

CONFORMANCE = Path(__file__).parents[1] / "conformance"
COUNTERS = {
    "total_num_fields": "total",
    "num_field_match_list": "lists",
    "num_field_match_dict": "dicts",
    "num_field_match_numbers": "numbers",
    "num_field_match_string": "strings",
    "num_field_match": "matched",
}


def lines(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


@cache
def samples():
    return {line["id"]: line for line in lines(CONFORMANCE / "sobench.jsonl.gz")}


def by_group():
    groups = defaultdict(list)
    for line in samples().values():
        groups[line["group"]].append(line)
    return groups


def score(line, *, labelled=True, generation=...):
    labels = {"labels": line["evaluation_labels"]} if labelled else {}
    return sobench.score(
        line["generation"] if generation is ... else generation,
        target=line["target_content"],
        schema=sobench.sample_schema(line),
        **labels,
    )


def as_expected(scored, counts):
    """Return a score in the words of the vectors, with the given official counts."""
    return {
        "invalid": scored.invalid,
        "exact_match": scored.exact_match,
        "followed_schema": scored.followed_schema,
        "full_match": counts and counts.matched == counts.total,
        **{name: counts and getattr(counts, attribute) for name, attribute in COUNTERS.items()},
    }
