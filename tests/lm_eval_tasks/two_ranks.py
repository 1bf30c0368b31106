"""One rank of a run over two processes: `torchrun --nproc_per_node 2 two_ranks.py OUT` writes its view to OUT.

hf-multimodal spreads over GPUs only, so the model here is a small one of ours with the collectives of a real one
(gloo), and the harness, the padding and the gathering are the real ones.
"""

import json
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from lm_eval_tasks.autoload import TASKS_DIR
from tests.lm_eval_tasks.test_one_run import SpyVLM

TASKS = ["ifstruct", "sobench_ui", "sobench_chart"]


class RankedVLM(SpyVLM):
    """The spy as one of several ranks."""

    device = "cpu"

    @property
    def rank(self):
        return dist.get_rank()

    @property
    def world_size(self):
        return dist.get_world_size()

    def all_gather(self, tensor):
        parts = [torch.zeros_like(tensor) for _ in range(self.world_size)]
        dist.all_gather(parts, tensor)
        return torch.stack(parts)

    def gather_object(self, obj, dst=0):
        parts = [None] * self.world_size
        dist.all_gather_object(parts, obj)
        return parts if self.rank == dst else None

    def barrier(self):
        dist.barrier()


def main(out):
    dist.init_process_group("gloo")
    model = RankedVLM()
    results = simple_evaluate(
        model=model,
        tasks=TASKS,
        task_manager=TaskManager(include_path=TASKS_DIR, include_defaults=False),
        apply_chat_template=True,
        log_samples=True,
        limit=7,
    )
    view = {"rank": model.rank, "world_size": model.world_size, "calls": model.calls}
    if results is not None:
        view |= {"results": results["results"], "n-samples": results["n-samples"], "configs": results["configs"]}
        view["answers"] = {
            task: sorted((line["doc_id"], line["resps"][0][0]) for line in lines)
            for task, lines in results["samples"].items()
        }
        view["diagnosed"] = all("diagnostics" in line for lines in results["samples"].values() for line in lines)
    (Path(out) / f"rank{model.rank}.json").write_text(json.dumps(view, default=str))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
