"""What a rewriting may break, kind by kind: none of it gets past the check, and what is sound does."""

import re

import pytest

from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.generate.dials import Dials
from sobench_metrics.ifstruct.generate.prose.said import sample_speech, tokens
from sobench_metrics.ifstruct.generate.request import sample_request
from sobench_metrics.ifstruct.generate.thinking.model import facts_of, repaired
from sobench_metrics.ifstruct.generate.thinking.survival import losses
from sobench_metrics.ifstruct.generate.thinking.telling import thinking_out_loud

MANY = Dials(optional_percent=30, narrow_percent=60)


def messages():
    """Sound messages with their requests: every fact said once, in sentences of their own."""
    for number in range(40):
        rng = random_for("survival", number)
        request = sample_request("train", MANY, rng)
        facts = facts_of(request, rng)
        told = [fact if fact.startswith("`") else f"I think {fact}" for fact in facts.values()]
        yield "\n".join(f"{said}." for said in told), request, facts, rng


def facts_with(facts, sign):
    return [fact for name, fact in facts.items() if name[0] == sign]


def swapped(text, pattern, put):
    """Every text in which one place of the pattern is put otherwise."""
    for match in re.finditer(pattern, text):
        other = text[: match.start()] + match.expand(put) + text[match.end() :]
        if other != text:
            yield other


def without_a_field(text, _, facts):
    return [text.replace(fact + ".", "") for fact in facts_with(facts, "`")]


def another_limit(text, _, __):
    return [*swapped(text, r"(between|from|min) (\d)", r"\1 7\2"), *swapped(text, r"(\d+) (items|entries)", r"1\1 \2")]


def another_type(text, _, __):
    kinds = (("an integer", "a string"), ("a whole number", "text"), ("a boolean", "an integer"), ("a number", "a list of strings"),
             ("a string", "a boolean"), ("a list of objects", "an object"))  # fmt: skip
    return [other for kind, wrong in kinds for other in swapped(text, rf"(`, ){kind}", rf"\g<1>{wrong}")]


def another_enum(text, _, __):
    return [*swapped(text, r"one of '(\w+)'", r"one of '\1x'"), *swapped(text, r"one of ('\w+'), '", r"one of '"),
            *swapped(text, r"one of '(\w+)'", r"one of 'extra', '\1'")]  # fmt: skip


def a_field_more(text, _, __):
    more = ("`weight_total`, a number.", "`a_b`", "Also add the weight, if known.", "Please include a short summary.",
            "There should be a list of strings for the tags.", "And mention who signed it.")  # fmt: skip
    return [f"{text}\n{one}" for one in more]


def a_rule_denied(text, _, facts):
    found = []
    for rule in facts_with(facts, "'"):
        plain = rf"I think {re.escape(rule)}\."
        for put in (
            "Do not {}.",
            "I don't want that you {}.",
            "Never {}.",
            "{}? No, forget that.",
            "{} - no.",
            "{}, scrap that.",
        ):
            found += swapped(text, plain, put.format(rule.replace("\\", "\\\\")))
    return found


def a_kind_denied(text, _, __):
    return [*swapped(text, r"(`, )(an? (?:integer|boolean|string|number))\b", r"\1not \2"),
            *swapped(text, r", (between \d)", r", never \1")]  # fmt: skip


def or_for_and(text, _, __):
    return [*swapped(text, r"(between -?[\d.]+) and (-?[\d.]+)(?=[,. ])", r"\1 or \2"),
            *swapped(text, r"('\w+'),? or ('\w+')", r"\1 and \2")]  # fmt: skip


def nested_elsewhere(text, _, __):
    return [*swapped(text, r" - inside `\w+`", ""), *swapped(text, r"inside `(\w+)`", r"inside `\1_x`")]


def may_it_be_left_out(text, _, facts):
    made = [*swapped(text, r", (?:optional|may be left out)", "")]
    return made + [text.replace(fact, f"{fact}, optional") for fact in facts_with(facts, "`") if "optional" not in fact and "left out" not in fact
                   and "(" not in fact and "inside" not in fact]  # fmt: skip


def another_number(text, request, _):
    noun = f"(?:{request.entity.plural}|{request.entity.singular})"
    return [*swapped(text, rf"(\d+) ({noun})", r"7\1 \2"), text + f"\nMake that 9 {request.entity.plural}."]


def another_form(text, request, _):
    other = "YAML" if request.form.output_format == "json" else "JSON"
    key = "it goes under" if request.key else "none"
    later = [f"Answer in {other}.", "Put the list under the single top-level key `wrong_key`."]
    later += ["Leave out the backticks."] if request.form.fenced else ["The answer goes into a fenced code block."]
    assert key
    return [f"{text}\n{one}" for one in later]


@pytest.fixture(scope="module")
def sound():
    return list(messages())


def test_what_says_every_fact_survives(sound):
    assert [losses(text, request) for text, request, _, _ in sound] == [{}] * len(sound)


def test_our_own_prompts_survive_as_they_are():
    for number in range(60):
        rng = random_for("own", number)
        request = sample_request("train", MANY, rng)
        text = thinking_out_loud(request, sample_speech(rng), rng).text
        assert losses(text, request) == {}, text
        moved = [line for line in tokens(request.item).values() if line.prefix]
        headless = re.sub(r"(?m)^.*(?:contains:|`:) ?", "", text)
        assert not moved or losses(headless, request), headless


@pytest.mark.parametrize(
    "broken",
    [
        without_a_field, another_limit, another_type, another_enum, a_field_more, a_rule_denied, a_kind_denied, or_for_and,
        nested_elsewhere, may_it_be_left_out, another_number, another_form,
    ],
    ids=lambda one: one.__name__,
)  # fmt: skip
def test_no_broken_fact_gets_past(broken, sound):
    tried = 0
    for text, request, facts, _ in sound:
        for other in broken(text, request, facts):
            tried += 1
            assert losses(other, request), other
    assert tried > 20


def test_a_little_that_was_lost_is_said_in_the_end(sound):
    mended = 0
    for text, request, facts, rng in sound:
        for other in without_a_field(text, request, facts)[:2]:
            again = repaired(other, request, facts, rng)
            if again is not None:  # of few facts one can be more than a third
                mended += 1
                assert again.startswith(other.rstrip())
                assert losses(again, request) == {}
    assert mended > 40


def test_what_came_in_or_is_mostly_gone_is_not_mended(sound):
    for text, request, facts, rng in sound:
        assert all(repaired(other, request, facts, rng) is None for other in a_field_more(text, request, facts))
        half = "\n".join(text.split("\n")[: len(facts) // 2])
        assert repaired(half, request, facts, rng) is None
