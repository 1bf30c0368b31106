# Two commands: `make demo` and `make test`. Both do all set-up in .venv; nothing else on the machine changes.
PYTHON ?= python3
VENV   ?= .venv
TORCH  ?= 2.13.0
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
MODEL  ?=
BACKEND ?=
WORKERS ?= 2
.DEFAULT_GOAL := help
.PHONY: help setup demo test lint test-vllm sample clean

help:
	@echo "make demo [MODEL=folder-or-hub-name] [BACKEND=hf|hf-multimodal|vllm|vllm-vlm]   baselines, then a real model"
	@echo "make test        all tests, lint and types; WORKERS=2        make test-vllm   the vLLM group, in an environment of its own"
	@echo "make sample      draw the bundled sample set anew make clean       remove environments and caches"

setup: $(READY)

# A CPU wheel of torch: plain pip where one is at hand, else uv, which knows where PyTorch keeps them.
# Plain `pip install torch` would fetch gigabytes of CUDA libraries on Linux.
$(READY): pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "sobench needs Python 3.10 or newer; this is $$($(PYTHON) --version). Say which: make PYTHON=python3.11 ..."; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -c 'import torch' 2>/dev/null \
	  || $(BIN)/python -m pip install -q 'torch==$(TORCH)+cpu' 2>/dev/null \
	  || { $(BIN)/python -m pip install -q uv && $(BIN)/uv pip install -q --python $(BIN)/python --torch-backend cpu 'torch==$(TORCH)'; }
	$(BIN)/python -m pip install -q -e '.[dev]'
	touch $(READY)

demo: setup
	@$(BIN)/python -m benchmarks.demo --model '$(MODEL)' --backend '$(BACKEND)'

test: setup lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test-vllm: setup
	$(BIN)/python tests/engines/vllm_env.py .venv-vllm
	.venv-vllm/bin/python -m pytest -m vllm

sample: setup
	$(BIN)/python -m sobench_metrics.data.sample_maker --out sobench_metrics/data/sample

clean:
	rm -rf $(VENV) .venv-vllm .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
