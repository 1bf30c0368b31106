"""Run a `sobench` command that dies, as by `kill -9`, at a chosen one of its steps on the disk or the network.

`python -m tests.engines.killed STEP WORDS...`: a step is an audit event that opens, renames, removes or makes a file,
or connects. With STEP 0 nothing is killed and the number of steps is printed last, on stderr, so that any moment of a
run can be picked, and picked again.
"""

import itertools
import os
import signal
import sys

_STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.listdir", "os.scandir", "socket.connect"}


def main(step: int, words: list[str]) -> int:
    from sobench_metrics.cli.main import main as sobench

    counter = itertools.count(1)
    last = 0

    def watch(event: str, _arguments: tuple) -> None:
        nonlocal last
        if event in _STEPS:
            last = next(counter)
            if last == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    status = sobench(words)
    print(f"steps {last}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
