"""Noise under a grammar is still JSON of the right form, whatever else is in its batch."""

import json
import pickle
from importlib import metadata
from types import SimpleNamespace

import jsonschema
import pytest
from PIL import Image

pytest.importorskip("llguidance", reason="constrained decoding needs the extra [grammar]")

import torch
from lm_eval.api.instance import Instance
from lm_eval.models.dummy import DummyLM
from lm_eval.models.hf_vlms import HFMultimodalLM
from lm_eval.models.huggingface import HFLM

from lm_eval_tasks import grammar_engine, grammars, local_engine
from lm_eval_tasks.grammars import ConstrainedPrompt, Measured
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError
from tests.engines import tiny_text, tiny_vlm

pytestmark = pytest.mark.engine
LIMIT = 160
RUN = {"dtype": "float32", "device": "cpu", "batch_size": 12}


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    """Steps of a tiny model are over before a second thread has begun."""
    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(usual)


@pytest.fixture(scope="module")
def text_lm(tmp_path_factory):
    return HFLM(pretrained=str(tiny_text.build(tmp_path_factory.mktemp("text"))), **RUN)


@pytest.fixture(scope="module", params=["llava", "gemma3"])
def image_lm(request, tmp_path_factory):
    folder = tiny_vlm.build(tmp_path_factory.mktemp(request.param), request.param)
    return HFMultimodalLM(pretrained=str(folder), convert_img_format=True, **RUN)


def kept_short(schema):
    """The schema with short strings and lists and few properties: noise closes none of them by itself."""
    if isinstance(schema, list):
        return [kept_short(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    short = {key: kept_short(value) for key, value in schema.items()}
    if short.get("type") == "string" and "enum" not in short:
        short["maxLength"] = 6
    if short.get("type") == "object":
        names = list(short["properties"])[:3]
        short["properties"] = {name: short["properties"][name] for name in names}
        short |= {"required": names, "additionalProperties": False}
    if short.get("type") == "array":
        short["maxItems"] = short["minItems"] = 1
    return short


def sample_schemas(count):
    """The shortest schemas of the bundled rows that ask for JSON, so many and all different."""
    rows = map(json.loads, (sample_home() / "ifstruct.jsonl").read_text(encoding="utf-8").splitlines())
    texts = (json.dumps(kept_short(json.loads(row["json_schema"]))) for row in rows if row["output_format"] == "json")
    return sorted(dict.fromkeys(texts), key=len)[:count]


def ask(lm, schemas, picture=None, **settings):
    """The answers under these schemas (None: free), with what each took; one prompt a schema, of different lengths."""
    generation = {"until": [], "do_sample": False, "temperature": 0.0, "max_gen_toks": LIMIT, **settings}
    requests = []
    for number, schema in enumerate(schemas):
        words = f"{'<image>' if picture else ''}request {number} " + "more words " * (number * 7 % 5)
        text = lm.apply_chat_template([{"role": "user", "content": words}])
        visual = ({"visual": [picture.rotate(number * 20)]},) if picture else ()
        arguments = (ConstrainedPrompt(text, schema), generation, *visual)
        requests.append(Instance("generate_until", {}, arguments, number))
    with grammars.constraining(lm) as measures:
        texts = lm.generate_until(requests, disable_tqdm=True)
    return texts, measures.take(requests)


def mixed():
    """Eight schemas with a free row behind every other one: one batch of both kinds."""
    schemas = [[schema, None][: 1 + number % 2] for number, schema in enumerate(sample_schemas(8))]
    return [schema for pair in schemas for schema in pair]


def assert_guided(lm, picture=None):
    schemas = mixed()
    texts, took = ask(lm, schemas, picture)
    free, _ = ask(lm, [None] * len(schemas), picture)
    ended = 0
    for text, measured, schema, alone in zip(texts, took, schemas, free):
        assert not measured.fault
        if schema is None:
            assert text == alone
        elif not measured.at_limit:
            jsonschema.validate(json.loads(text), json.loads(schema))
            ended += 1
        else:
            assert measured.tokens == LIMIT
    assert ended >= 6
    assert not any(answer.startswith(("{", "[")) for answer in free)


# ------------------------------------------------------------------------------------------------------ whole batches
def test_noise_follows_eight_schemas_in_one_batch_and_free_rows_say_what_they_always_say(text_lm):
    assert_guided(text_lm)


def test_pictures_change_nothing_about_that(image_lm):
    picture = Image.radial_gradient("L").convert("RGB").resize((64, 64))
    assert_guided(image_lm, picture)


def test_logits_wider_than_the_vocabulary_and_several_end_tokens(tmp_path):
    lm = HFLM(pretrained=str(tiny_text.build(tmp_path)), **RUN)
    lm.model.resize_token_embeddings(len(lm.tokenizer) + 333)
    with torch.no_grad():  # the tokens without a text are the ones that it likes best
        lm.model.get_output_embeddings().weight[len(lm.tokenizer) :] *= 30
    other = lm.tokenizer.convert_tokens_to_ids("<|pad|>")
    lm.model.generation_config.eos_token_id = [lm.tokenizer.eos_token_id, other]
    texts, took = ask(lm, [*sample_schemas(3), '{"const": "x"}'])
    for text, schema in zip(texts, [*sample_schemas(3), '{"const": "x"}']):
        jsonschema.validate(json.loads(text), json.loads(schema))
    assert texts[-1] == '"x"'
    assert not any(measured.at_limit for measured in took)


def test_half_precision_and_an_end_token_that_the_model_does_not_know_as_one(tmp_path):
    lm = HFLM(pretrained=str(tiny_text.build(tmp_path)), **{**RUN, "dtype": "bfloat16"})
    lm.model.generation_config.eos_token_id = None  # then no row ends before its batch does
    texts, took = ask(lm, ['{"const": "short"}', '{"const": "' + "long " * 20 + '"}'])
    assert [json.loads(text) for text in texts] == ["short", "long " * 20]
    assert took[0].tokens < took[1].tokens
    assert not any(measured.at_limit for measured in took)


# ----------------------------------------------------------------------------------------------------------- measures
def test_measures_come_in_the_order_of_the_requests(text_lm):
    words = [f"{'word ' * (1 + number * 5 % 11)}" for number in range(11)]
    texts, took = ask(text_lm, [json.dumps({"const": word}) for word in words])
    assert [json.loads(text) for text in texts] == words
    by_length = [measured.tokens for _, measured in sorted(zip(map(len, words), took), key=lambda pair: pair[0])]
    assert by_length == sorted(set(by_length))


def test_a_limit_and_a_stop_string_are_told_apart(text_lm):
    (text,), (limited,) = ask(text_lm, [None], max_gen_toks=24)
    assert limited == Measured(24, at_limit=True)
    stop = text[len(text) // 2 :][:3]
    (cut,), (stopped,) = ask(text_lm, [None], max_gen_toks=24, until=[stop])
    assert cut == text[: text.index(stop)]
    assert not stopped.at_limit
    ids = spied_tokens(text_lm, max_gen_toks=24)
    assert stop in text_lm.tok_decode(ids[: stopped.tokens])
    assert stop not in text_lm.tok_decode(ids[: stopped.tokens - 1])


def spied_tokens(lm, **settings):
    """The new tokens of one free answer."""
    taken = []
    generate = lm._model_generate

    def spy(context, **options):
        output = generate(context=context, **options)
        taken.extend(output[0, context.shape[1] :].tolist())
        return output

    lm._model_generate = spy
    try:
        ask(lm, [None], **settings)
    finally:
        del lm._model_generate
    return taken


def test_a_prompt_that_was_never_asked_has_no_measure(text_lm):
    with grammars.constraining(text_lm) as measures, pytest.raises(LookupError, match="not asked"):
        measures.take([Instance("generate_until", {}, ("text", {}), 0)])


def test_a_prompt_keeps_its_schema_on_every_way():
    prompt = ConstrainedPrompt("text", '{"type": "null"}')
    for copy in (pickle.loads(pickle.dumps(prompt)), *next(zip(*[(prompt, {})]))):
        assert (copy, copy.schema, hash(copy)) == ("text", '{"type": "null"}', hash("text"))


# ------------------------------------------------------------------------------------------------- nothing stays behind
def test_the_model_is_itself_again_after_a_failure(text_lm):
    before = dict(vars(text_lm))
    with pytest.raises(UsageError, match=r"uniqueItems.*ask its sample without it"):
        ask(text_lm, [None, '{"type": "array", "uniqueItems": true}'])
    with pytest.raises(UsageError, match="num_beams"):
        ask(text_lm, ['{"type": "null"}'], num_beams=2)
    with pytest.raises(UsageError, match="prompt_lookup_num_tokens"):
        ask(text_lm, ['{"type": "null"}'], prompt_lookup_num_tokens=2)
    assert vars(text_lm) == before


def test_a_schema_that_fails_stops_its_batch_before_the_generation(text_lm, monkeypatch):
    monkeypatch.setattr(text_lm.model, "generate", lambda **_: pytest.fail("generated"))
    with pytest.raises(UsageError, match="cannot constrain"):
        ask(text_lm, ["", None])


def test_it_nests_with_the_watch_over_cut_prompts(image_lm):
    before = dict(vars(image_lm))
    with local_engine._uncut_prompts(image_lm), grammars.constraining(image_lm):
        pass
    assert vars(image_lm) == before
    with grammars.constraining(image_lm), local_engine._uncut_prompts(image_lm):
        pass
    assert vars(image_lm) == before


# ------------------------------------------------------------------------------------------------------- what it refuses
def chained(links):
    steps = {f"d{n}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{n + 1}"}}} for n in range(links)}
    return {"$ref": "#/$defs/d0", "$defs": {**steps, f"d{links}": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "array", "uniqueItems": True}, "uniqueItems"),
        ({"type": "array", "uniqueItems": True, "x-guidance": {"lenient": True}}, "uniqueItems"),
        ({"type": "string", "pattern": "(?=a)b"}, "look-around"),
        ({"$ref": "#"}, "NoExtension"),
        ({"$ref": "#/nowhere"}, "does not exist"),
        ("no JSON", "expected"),
        ({"description": "x" * 500_000}, "500000 is the limit"),
    ],
)
def test_a_schema_that_cannot_constrain_says_why(text_lm, schema, reason):
    text = schema if isinstance(schema, str) else json.dumps(schema)
    told = grammars.compile_fault(text_lm, text)
    assert reason in told
    assert "\n" not in told
    assert len(told) <= 300
    assert grammars.compile_fault(text_lm, text) == told


def test_long_chains_of_references_compile_without_an_end_to_the_process(text_lm):
    assert grammars.compile_fault(text_lm, json.dumps(chained(2500))) is None


def test_more_schemas_than_are_kept(text_lm, monkeypatch):
    monkeypatch.setattr(grammar_engine, "_KEPT", 2)
    texts, _ = ask(text_lm, [json.dumps({"const": number}) for number in range(9)])
    assert texts == [str(number) for number in range(9)]


def test_a_grammar_that_takes_too_long_is_given_up(monkeypatch, tmp_path):
    lm = HFLM(pretrained=str(tiny_text.build(tmp_path)), **RUN)
    monkeypatch.setattr(grammar_engine, "_SECONDS", 0.0)
    assert "takes longer than" in grammars.compile_fault(lm, json.dumps(chained(1000)))


@pytest.mark.parametrize(
    ("change", "remedy"),
    [
        ({"backend": "seq2seq"}, "decoder-only"),
        ({"tokenizer": SimpleNamespace(is_fast=False)}, "use_fast_tokenizer=True"),
        ({"_model": SimpleNamespace(generation_config=SimpleNamespace(num_beams=4))}, "num_beams to 1"),
    ],
)
def test_a_model_that_no_grammar_guides_is_told_the_remedy(text_lm, monkeypatch, change, remedy):
    assert grammars.ready(text_lm) is None
    for name, value in change.items():
        monkeypatch.setattr(text_lm, name, value)
    assert remedy in grammars.ready(text_lm)


def test_other_backends_are_told_the_remedy():
    assert "--model hf" in grammars.ready(DummyLM())


@pytest.mark.parametrize("found", [None, "1.7.6", "0.7.30"])
def test_a_missing_or_old_library_is_told_with_the_remedy(text_lm, monkeypatch, found):
    def version(name):
        if found is None:
            raise metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(metadata, "version", version)
    assert grammars.ready(text_lm).endswith("needs llguidance 1.8 or newer: pip install 'sobench[grammar]'.")


def test_a_tokenizer_without_bytes_is_told():
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    words = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"a": 0, "b": 1}, unk_token="b")))
    with pytest.raises(ValueError, match="cannot read the tokenizer"):
        grammar_engine.engine(words, 2, [1])


# ------------------------------------------------------------------------------------------------------------- the mask
@pytest.fixture
def engine(text_lm):
    assert grammars.ready(text_lm) is None
    return grammars._engines[text_lm]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("wider", [-5, 0, 100])
def test_free_rows_keep_their_bits_and_no_row_gets_a_token_without_text(engine, dtype, wider):
    width = engine.tokenizer.vocab_size + wider
    scores = torch.randn(3, width).to(dtype)
    masked = engine.mask(['{"const": 1}', None, "{}"])(torch.zeros((3, 4), dtype=torch.long), scores)
    assert masked.dtype == dtype
    assert torch.equal(masked[1], scores[1])
    allowed = masked[0].isfinite().nonzero().flatten().tolist()
    assert [engine.tokenizer.decode_str([token]) for token in allowed] == ["1"]
    assert masked[2, engine.tokenizer.vocab_size :].isinf().all()


def test_a_row_that_leaves_its_grammar_ends_and_says_so(engine):
    mask = engine.mask(['{"const": "ab"}', '{"const": "ab"}'])
    scores = torch.zeros(2, engine.tokenizer.vocab_size)
    quote, wrong = (engine.tokenizer.tokenize_str(text)[0] for text in '"#')
    mask(torch.zeros((2, 1), dtype=torch.long), scores)
    masked = mask(torch.tensor([[quote], [wrong]]), scores)
    assert list(mask.faults) == [1]
    assert masked[1].isfinite().nonzero().flatten().tolist() == list(engine.ends)
    assert not set(masked[0].isfinite().nonzero().flatten().tolist()) & set(engine.ends)


@pytest.mark.parametrize("layout", [{}, {"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"separators": (",", ":")}])
def test_every_usual_layout_is_allowed(engine, layout):
    assert accepted(engine, json.dumps({"a": [1, {"b": [2, 3]}], "c": {}}, **layout))


@pytest.mark.parametrize("text", ['{\n\n"a": 1}', '{"a":  1}', ' {"a": 1}', '{"a": 1}\n', "{" + "\n" + " " * 41 + "}"])
def test_blanks_that_could_go_on_for_ever_are_not(engine, text):
    assert not accepted(engine, text)


def accepted(engine, text):
    matcher = engine.matcher("{}")
    tokens = engine.tokenizer.tokenize_str(text)
    return matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting()
