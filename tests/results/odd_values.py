"""A decoded results file with an odd value at one place after the other."""

import copy
import math

ODD = (None, "x", math.inf, -1, 10**400, {}, ["x"], True, {"x": "\ud800"})


def odd_contents(content, odd, *, but=(), deep=4):
    """Yield each place down to `deep` keys and the content that has `odd` there; keys in `but` are passed over."""
    for path in _paths(content, set(but), deep):
        altered = copy.deepcopy(content)
        place = altered
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = odd
        yield path, altered


def _paths(content, but, deep, above=()):
    for key, inner in content.items():
        if key in but:
            continue
        yield (*above, key)
        if isinstance(inner, dict) and len(above) + 1 < deep:
            yield from _paths(inner, but, deep, (*above, key))
