"""lm-eval and lighteval name one task differently; results of both meet under one name."""

import pytest

from lighteval_tasks.catalog import entries
from sobench_metrics.results.task_names import domain_of, group_of, plain_name


@pytest.mark.parametrize(
    ("task", "plain", "domain", "group"),
    [
        ("sobench_ui", "sobench_ui", "ui", "sobench"),
        ("sobench:ui", "sobench_ui", "ui", "sobench"),
        ("sobench_sample:ui", "sobench_ui_sample", "ui", "sobench_sample"),
        ("sobench_ui_constrained_sample", "sobench_ui_sample", "ui", "sobench_constrained_sample"),
        ("sobench_chart_constrained", "sobench_chart", "chart", "sobench_constrained"),
        ("sobench:_average", "sobench", "", "sobench"),
        ("sobench_sample:_average", "sobench_sample", "", "sobench_sample"),
        ("ifstruct_hard_sample", "ifstruct_hard_sample", "", ""),
        ("ifstruct_json_constrained_sample", "ifstruct_json_sample", "", ""),
        ("another:task_constrained", "another_task", "", ""),
    ],
)
def test_a_task_has_one_name(task, plain, domain, group):
    assert (plain_name(task), domain_of(task), group_of(task)) == (plain, domain, group)


def test_what_lighteval_spells_in_two_ways_is_one():
    by_content = {}
    for one in entries():
        by_content.setdefault(one.content, set()).add(plain_name(one.name))
    assert all(len(names) == 1 for names in by_content.values())
    assert len({name for names in by_content.values() for name in names}) == len(by_content)
