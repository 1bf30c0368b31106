"""What families of models write around an answer: right data are found behind it, drafts in it are not the answer."""

import pytest

from sobench_metrics.recovery import recover_ifstruct
from tests.recovery.own_ifstruct_cases import DATA, YAML, F, row

DRAFT, ANSWER = "DRAFT", "ANSWER"
FAMILIES = {
    "think": "<think>\nDRAFT\n</think>\n\nANSWER", "template opened it": "DRAFT\n</think>\n\nANSWER", "empty": "<think>\n\n</think>\n\nANSWER",
    "Mistral": "[THINK]DRAFT[/THINK]ANSWER</s>", "Qwen": "<|im_start|>assistant\n<think>DRAFT</think>\nANSWER<|im_end|>",
    "gpt-oss": "<|channel|>analysis<|message|>DRAFT<|end|><|start|>assistant<|channel|>final<|message|>ANSWER<|return|>",
    "gpt-oss, constrained": "<|channel|>analysis<|message|>DRAFT<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>ANSWER",
    "gpt-oss, tokens dropped": "analysisDRAFTassistantfinal\nANSWER",
    "Gemma 3": "ANSWER<end_of_turn>", "Gemma 4": "<|channel>thought\nDRAFT\n<channel|>ANSWER<turn|>", "MedGemma": "<unused94>thought\nDRAFT<unused95>ANSWER",
    "Seed-OSS": "<seed:think>DRAFT<seed:cot_budget_reflect>much</seed:cot_budget_reflect></seed:think>ANSWER<seed:eos>",
    "Granite": "<think>DRAFT</think>\n<response>\nANSWER\n</response><|end_of_text|>", "Phi": "ANSWER<|end|>", "Llama": "ANSWER<|eot_id|>",
    "Command": "<|START_THINKING|>DRAFT<|END_THINKING|><|START_RESPONSE|>ANSWER<|END_RESPONSE|>", "Kimi": "\u25c1think\u25b7DRAFT\u25c1/think\u25b7ANSWER",
    "DeepSeek": "<think>DRAFT</think>ANSWER<\uff5cend\u2581of\u2581sentence\uff5c>", "EXAONE": "<thought>DRAFT</thought>\nANSWER[|endofturn|]",
    "GLM": "<think>DRAFT</think><|begin_of_box|>ANSWER<|end_of_box|>", "Apertus": "<|inner_prefix|>DRAFT<|inner_suffix|>ANSWER",
    "Hunyuan": "<think>DRAFT</think>\n<answer>\nANSWER\n</answer>", "byte order mark": "\ufeffANSWER",
}  # fmt: skip
WRONG = {"json": DATA.replace("12", '"12"'), "yaml": YAML.replace("12", '"12"')}
RIGHT = {"json": DATA, "yaml": YAML}
FENCED = {kind: f"{F}{kind}\n{text}\n{F}" for kind, text in RIGHT.items()}


def reading(family, kind, *, draft, answer):
    text = FAMILIES[family].replace(DRAFT, draft).replace(ANSWER, f"\n{answer}\n" if kind == "yaml" else answer)
    return recover_ifstruct(text, row(output_format=kind))


@pytest.mark.parametrize("kind", ["json", "yaml"])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_answer_is_read_and_the_draft_is_not(family, kind):
    for answer in (RIGHT[kind], FENCED[kind]):
        found = reading(family, kind, draft=WRONG[kind], answer=answer)
        assert found.recoverable, found.reason
    assert not reading(family, kind, draft=RIGHT[kind], answer=WRONG[kind]).recoverable
    assert not reading(family, kind, draft=RIGHT[kind], answer="I am not sure.").recoverable


@pytest.mark.parametrize(
    "text",
    [f"{YAML}\n{F}", f"{F}yaml\n{YAML}\n  {F}", f"{F}yaml\n{YAML}", f"~~~\n{YAML}\n~~~"],
)
def test_broken_fences_around_yaml_are_form(text):
    found = recover_ifstruct(text, row(output_format="yaml"))
    assert (found.recoverable, found.steps) == (True, ("fence.broken",))
