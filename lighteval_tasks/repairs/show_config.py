"""`lighteval tasks inspect --show-config` ends in a TypeError: the second argument of `str` is an encoding.

Upstream: none found.
"""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

from lighteval_tasks.repairs.repair import Repair, repaired

__all__ = ["SHOW_CONFIG"]


class _Probe:
    def __str__(self, lite: bool = False) -> str:
        return str(lite)


def _needed() -> bool:
    from lighteval.tasks.lighteval_task import LightevalTaskConfig

    try:
        with redirect_stdout(io.StringIO()):
            LightevalTaskConfig.print(_Probe())
    except TypeError:
        return True
    return False


def _apply() -> None:
    from lighteval.tasks.lighteval_task import LightevalTaskConfig

    def show(self: Any, lite: bool = False) -> None:
        print(self.__str__(lite))  # `str` hands no argument on

    LightevalTaskConfig.print = repaired(show, LightevalTaskConfig.print)


SHOW_CONFIG = Repair("`--show-config`", "none found", _needed, _apply)
