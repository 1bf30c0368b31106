"""What must not be published, by the name of its key and by its form; and what only looks like it."""

import pytest

from sobench_metrics.export.secrets import HIDDEN, without_secrets


@pytest.mark.parametrize(
    "settings",
    [
        {"token": "x"},
        {"hf_token": "x"},
        {"OPENAI_API_KEY": "x"},
        {"apiKey": "x"},
        {"auth-token": True},
        {"header": {"Authorization": "Bearer x"}},
        {"extra_headers": ["x"]},
        {"db.password": "x"},
    ],
)
def test_a_key_that_names_a_secret_is_blanked_at_any_depth(settings):
    ((name, _),) = settings.items()
    assert without_secrets({"a": [{"b": settings}]}) == {"a": [{"b": {name: HIDDEN}}]}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("pretrained=m,token=abc,dtype=auto", f"pretrained=m,token={HIDDEN},dtype=auto"),
        ("http://me:word@host:8000/v1?api_key=1&n=2", f"http://{HIDDEN}@host:8000/v1?api_key={HIDDEN}&n=2"),
        ("as hf_" + "a1B2" * 8 + " said", f"as {HIDDEN} said"),
        ("sk-proj-" + "a1B2" * 8, HIDDEN),
        ("Authorization: Bearer abc.def", f"Authorization: {HIDDEN}"),
    ],
)
def test_a_secret_is_known_by_its_form(text, left):
    assert without_secrets([text]) == [left]


@pytest.mark.parametrize(
    "settings",
    [
        {"max_tokens": 4, "tokenizer": "lab/model", "add_bos_token": True, "eos_token": "<|end|>", "pad_token_id": 3},
        {"think_end_token": "</think>", "key_value_cache": 1, "max_gen_toks": 5, "token": None, "secret": ""},
        {"model": "hf-multimodal", "path": "/models/hf_transformers/sk-learn", "url": "http://host/v1?limit=3"},
    ],
)
def test_what_only_looks_like_one_stays(settings):
    assert without_secrets(settings) == settings


def test_depth_has_a_bound():
    deep = inner = {}
    for _ in range(5000):
        inner["a"] = inner = {}
    assert HIDDEN in str(without_secrets(deep))
