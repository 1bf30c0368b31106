"""Values near a given one: each breaks, or does not break, one thing."""

import json

_INSTEAD = (None, True, "", "words", 0, -1, 7, 2.5, [], {}, [1], {"z": 1})


def mutants(value, limit=400):
    """Yield copies with one place replaced, removed, doubled or added."""
    yield from list(_mutants(value))[:limit]


def _mutants(value):
    for new in _INSTEAD:
        if json.dumps(new) != json.dumps(value):
            yield new
    if isinstance(value, dict):
        yield {**value, "unasked_for": 1}
        for key in value:
            yield {name: held for name, held in value.items() if name != key}
            for below in list(_mutants(value[key]))[:40]:
                yield {**value, key: below}
    elif isinstance(value, list):
        yield [*value, *value[:1]]
        yield value[:-1]
        for index in range(min(2, len(value))):
            for below in list(_mutants(value[index]))[:60]:
                yield [*value[:index], below, *value[index + 1 :]]
