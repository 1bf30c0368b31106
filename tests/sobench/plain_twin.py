"""The labelled comparison written straight from the prose (rule B2): slow, recursive, for shallow data only."""

import re


def plain_counts(pred, gt, labels):
    counts = {"total": 0, "lists": 0, "dicts": 0, "numbers": 0, "strings": 0}
    compare(pred, gt, labels, counts)
    return counts


def meaningless(label):
    if isinstance(label, dict):
        return all(meaningless(inner) for inner in label.values())
    if isinstance(label, list):
        return all(meaningless(inner) for inner in label)
    return label == "ignore"


def compare(pred, gt, label, counts):  # noqa: C901, PLR0911, PLR0912  # the prose, clause by clause
    if label == "ignore":
        return True, False
    counts["total"] += 1
    if pred is None or gt is None:
        counts["strings"] += pred is gt
        return pred is gt, True
    if isinstance(pred, str) and isinstance(gt, str):
        match = similarity(pred, gt) > 0.8 if label == "fuzzy" else normal(pred) == normal(gt)
        counts["strings"] += match
        return match, True
    if isinstance(pred, (int, float)) and isinstance(gt, (int, float)):
        a, b = float(pred), float(gt)
        error = 0 if a == b else abs(a - b) / max(abs(a), abs(b))
        match = error < 0.05 if label == "fuzzy" else a == b
        counts["numbers"] += match
        return match, True
    if isinstance(pred, list) and isinstance(gt, list):
        if meaningless(label):
            counts["total"] -= 1
            return False, False
        if len(pred) != len(gt):
            return False, True
        each = label if isinstance(label, list) and len(label) == len(gt) else [label] * len(gt)
        results = [compare(p, g, inner, counts) for p, g, inner in zip(pred, gt, each, strict=True)]
        if not any(meaningful for _, meaningful in results):
            counts["total"] -= 1
            return False, False
        match = all(match for match, _ in results)
        counts["lists"] += match
        return match, True
    if isinstance(pred, dict) and isinstance(gt, dict):
        keys = matched = 0
        for key, value in gt.items():
            inner = label.get(key, "exact") if isinstance(label, dict) else label
            if meaningless(inner):
                continue
            keys += 1
            if key in pred:
                matched += compare(pred[key], value, inner, counts)[0]
        if not keys:
            counts["total"] -= 1
            return False, False
        counts["dicts"] += matched == keys
        return matched > 0, True
    return False, True


def normal(text):
    return "".join(c for c in text if not re.match(r"\s", c) and c not in ",./_*^!?:;()[]{}\"'\\-").lower()


def similarity(one, two):
    a, b = one.split(), two.split()
    longest = max(len(a), len(b))
    return 1 - distance(a, b) / longest if longest else 1.0


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, word in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]
