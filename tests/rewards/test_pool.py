"""Judging in several processes: the same rewards, whatever happens to the processes."""

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.rewards import Reward, RewardPool, ifstruct_reward, ifstruct_shaped_reward, sobench_reward
from sobench_metrics.rewards.judge import judge_all
from tests.rewards import deadly
from tests.rewards.rows import BILL, RIGHT_TEAS, TEA, columns, repeated, tea_answer

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [tea_answer(RIGHT_TEAS[: n % 3], key="teas" if n % 5 else None, fence=n % 7 > 0) for n in range(300)]


@pytest.fixture(scope="module")
def pool():
    with RewardPool(workers=2) as started:
        yield started


def test_a_pool_gives_the_rewards_of_judging_in_turn(pool):
    serial = ifstruct_shaped_reward(None, TEXTS, **repeated(TEA, len(TEXTS)))
    assert len(set(serial)) > 3
    for _step in range(3):
        assert pool.parallel(ifstruct_shaped_reward)(None, TEXTS, **repeated(TEA, len(TEXTS))) == serial


def test_both_benchmarks_and_foreign_rows_in_one_pool(pool):
    mixed = columns([{**TEA, **dict.fromkeys(BILL)}, {**BILL, **dict.fromkeys(TEA)}])
    answers = ["\ud800", BILL["target_json"]]
    assert pool.parallel(ifstruct_reward)(None, answers, **mixed) == [0.0, None]
    assert pool.parallel(sobench_reward)(None, answers, **mixed) == [None, 1.0]


def test_processes_stay_from_step_to_step(pool):
    seen = []
    for _step in range(2):
        pool.parallel(ifstruct_reward)(None, TEXTS, **repeated(TEA, len(TEXTS)))
        seen.append([lane.pid for lane in pool._lanes])
    assert seen[0] == seen[1]
    assert len(seen[0]) == 2


def test_no_completions_no_rewards(pool):
    assert pool.parallel(ifstruct_reward)(None, [], **{name: [] for name in TEA}) == []


def test_a_row_that_cannot_be_judged_is_told_as_without_a_pool(pool):
    broken = repeated({**TEA, "require_code_block": "yes"}, 1)
    with pytest.raises(UsageError, match="Column 'require_code_block' must be true or false"):
        pool.parallel(ifstruct_reward)(None, ["x"], **broken)
    assert pool.parallel(ifstruct_reward)(None, [tea_answer()], **repeated(TEA, 1)) == [1.0]


def messages(told):
    return [str(warning.message) for warning in told]


def test_a_worker_killed_between_steps_is_told_and_replaced(pool):
    parallel = pool.parallel(ifstruct_reward)
    serial = parallel(None, TEXTS, **repeated(TEA, len(TEXTS)))
    before = [lane.pid for lane in pool._lanes]
    pool._lanes[0]._process.kill()
    with pytest.warns(RuntimeWarning) as told:
        assert parallel(None, TEXTS, **repeated(TEA, len(TEXTS))) == serial
    assert messages(told) == [
        f"a reward worker was lost (process {before[0]} ended with status -9); another takes its place."
    ]
    after = [lane.pid for lane in pool._lanes]
    assert before[0] not in after
    assert before[1] in after


def test_a_completion_that_kills_its_worker_costs_only_itself(pool):
    texts = ["fine"] * 70 + [deadly.WORD] + ["fine"] * 70
    with pytest.warns(RuntimeWarning) as told:
        rewards = pool.run(deadly.Deadly(os.getpid()), texts, [TEA] * len(texts))
    assert "completion 70 cost 2 reward workers; it counts as a missing answer." in messages(told)
    assert rewards == [1.0] * 70 + [0.0] + [1.0] * 70


def test_a_worker_that_hangs_is_replaced(monkeypatch):
    monkeypatch.setattr("sobench_metrics.rewards.pool._PATIENCE", 1.0)
    with RewardPool(1) as pool, pytest.warns(RuntimeWarning) as told:
        assert pool.run(deadly.Hanging(os.getpid()), [deadly.WORD], [TEA]) == [0.0]
    assert messages(told)[-1] == "completion 0 cost 2 reward workers; it counts as a missing answer."


def test_many_threads_share_a_pool(pool):
    parallel, found = pool.parallel(ifstruct_shaped_reward), {}

    def call(number):
        found[number] = parallel(None, TEXTS[number:], **repeated(TEA, len(TEXTS) - number))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    serial = judge_all(ifstruct_shaped_reward.judge, TEXTS, [TEA] * len(TEXTS))
    assert found == {number: serial[number:] for number in range(4)}


def test_a_pooled_reward_can_be_handed_to_another_process(pool):
    copy = pickle.loads(pickle.dumps(pool.parallel(ifstruct_reward)))
    assert copy.name == "ifstruct_reward"
    with copy.run.__self__ as theirs:
        assert theirs is not pool
        assert theirs.workers == 2
        assert copy(None, [tea_answer()], **repeated(TEA, 1)) == [1.0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_starts_workers_of_its_own_and_leaves_ours(pool):
    parallel = pool.parallel(ifstruct_reward)
    parallel(None, TEXTS, **repeated(TEA, len(TEXTS)))
    ours = [lane.pid for lane in pool._lanes]
    child = os.fork()
    if child == 0:
        fine = parallel(None, [tea_answer()], **repeated(TEA, 1)) == [1.0] and pool._lanes[0].pid not in ours
        pool.close()
        os._exit(0 if fine else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    parallel(None, TEXTS, **repeated(TEA, len(TEXTS)))
    assert [lane.pid for lane in pool._lanes] == ours


def test_a_judge_that_cannot_travel_is_told(pool):
    class Local:
        columns = ("json_schema",)

        def __call__(self, text, row):
            return 1.0

    with pytest.raises(UsageError, match="must be importable by name"):
        pool.parallel(Reward("mine", Local()))(None, ["x"], **repeated(TEA, 1))


NOTEBOOK = """
from sobench_metrics.errors import UsageError
from sobench_metrics.rewards import Reward, RewardPool
class Mine:
    columns = ("json_schema",)
    def __call__(self, text, row):
        return 1.0
with RewardPool(1) as pool:
    try:
        pool.parallel(Reward("mine", Mine()))(None, ["x"], json_schema=["{}"])
    except UsageError as error:
        print(error)
"""


def test_a_judge_of_a_script_or_a_notebook_is_told(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(NOTEBOOK, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True, env=environment)
    assert "define its judge in a module that can be imported" in done.stdout
    assert done.stderr == ""


def test_closing_waits_for_the_call_of_another_thread(pool, recwarn):
    parallel, found = pool.parallel(ifstruct_shaped_reward), []
    serial = ifstruct_shaped_reward(None, TEXTS, **repeated(TEA, len(TEXTS)))
    calls = [
        threading.Thread(target=lambda: found.append(parallel(None, TEXTS, **repeated(TEA, len(TEXTS)))))
        for _ in range(3)
    ]
    for call in calls:
        call.start()
        pool.close()
    for call in calls:
        call.join()
    assert found == [serial] * 3
    assert messages(recwarn.list) == []


def test_workers_do_not_hear_the_terminals_interrupt(pool):
    pool.parallel(ifstruct_reward)(None, [tea_answer()], **repeated(TEA, 1))
    assert all(os.getsid(lane.pid) != os.getsid(0) for lane in pool._lanes)


def test_a_pool_needs_a_worker():
    with pytest.raises(UsageError, match="0 workers"):
        RewardPool(0)


def test_a_worker_that_cannot_start_is_told_and_not_tried_for_ever(monkeypatch):
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    with RewardPool(1) as pool, pytest.raises(UsageError, match="could not start"):
        pool.run(ifstruct_reward.judge, ["x"], [TEA])


SCRIPT = """
import sys
print("the script runs", flush=True)
sys.modules["torch"] = None  # stands for a library that workers must not load
from sobench_metrics.rewards import RewardPool, ifstruct_reward
from tests.rewards.rows import TEA, repeated, tea_answer
pool = RewardPool(2)
print(pool.parallel(ifstruct_reward)(None, [tea_answer(), "no"], **repeated(TEA, 2)))
print(*[lane.pid for lane in pool._lanes])
"""


def test_an_unguarded_script_runs_once_and_leaves_no_process_behind(tmp_path):
    """Training scripts often have no main guard; multiprocessing would run them again in each worker."""
    script = tmp_path / "train.py"
    script.write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.stderr == ""
    said, rewards, pids = done.stdout.splitlines()
    assert (said, rewards) == ("the script runs", "[1.0, 0.0]")
    assert not [pid for pid in pids.split() if is_running(int(pid))]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_killed_trainer_takes_its_workers_with_it(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT + "sys.stdout.flush()\nimport os; os.kill(os.getpid(), 9)\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == -9
    # The workers share the error stream: that it ended, and this call with it, says that they did.
    assert done.stdout.splitlines()[1] == "[1.0, 0.0]"
