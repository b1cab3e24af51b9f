"""``make gpu-check``: train every generator of paper size for some hundred steps on the accelerator of this machine.

Usage: python benchmarks/speed/gpu_check.py [--device NAME] [--steps N] [--profile NAME] [--json FILE] [GENERATOR ...]

For each generator: training tokens a second, greedy documents a second, the largest memory of the device, and the loss
of the first and the last tenth of the steps, which should fall. Documents are made here, so that no data is needed.
Without an accelerator the program says so and ends with status 2; ``make gpu-check ARGS="--device cpu --steps 2"``
tries it on the processor. A generator that does not fit or breaks is a row that says so, and the status is then 1.
"""

import argparse
import gc
import json
import resource
import statistics
import sys
from pathlib import Path
from typing import Any

import torch
from generator_work import Clock, Steps, greedy_of, loss_of, made_examples, made_words, new_model, tokens_listed

from keywright.neural.training.recipe import PROFILES, Profile, find_profile

_BATCHES = 20
"""Different batches, which are repeated; enough that the loss falls slowly. Arbitrary."""
_DECODED = 64  # documents that are decoded; arbitrary
_MIB = 2**20


def checked(name: str, profile: Profile, device: str, steps: int) -> dict[str, Any]:
    """Train and decode with one generator; return its row."""
    words = made_words(profile.words)
    model = new_model(name, profile, words, device)
    training = Steps(model, profile.recipe, loss_of(model), device)
    count, size = min(_BATCHES, steps), profile.recipe.batch
    examples = made_examples(count * size, words, profile.limits.source)
    clock = Clock(device, torch.get_num_threads())
    losses, tokens, seconds = [], 0, list[float]()
    for step in range(steps):
        batch = examples[step % count * size :][:size]
        with clock.timing(seconds):
            loss, targets = training.make(batch)
        losses.append(loss)
        tokens += targets + sum(len(example.source) for example in batch) if step or steps == 1 else 0
    decode, listed = greedy_of(model), list[float]()
    with clock.timing(listed):
        decode(examples[:_DECODED])
    tenth = max(1, steps // 10)
    return {
        "generator": name,
        "weights": sum(weight.numel() for weight in model.parameters()),
        "batch": size,
        "precision": "bfloat16" if profile.recipe.mixed_precision else "float32",
        # The first step also makes the optimiser's state and loads kernels.
        "training tokens a second": tokens / sum(seconds[1:] or seconds),
        "greedy documents a second": len(examples[:_DECODED]) / sum(listed),
        "tokens of a list": tokens_listed(model),
        "memory in MiB": _memory(device),
        "first loss": statistics.mean(losses[:tenth]),
        "last loss": statistics.mean(losses[-tenth:]),
    }


def _memory(device: str) -> float:
    """Most memory that the device, or this process, had in use."""
    if device == "cpu":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / _MIB
    if device.startswith("cuda"):
        return torch.cuda.max_memory_allocated() / _MIB
    return float("nan")


def _forgotten(device: str) -> None:
    """Free the memory of the generator before."""
    gc.collect()
    if device.startswith("cuda"):
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def accelerator() -> str | None:
    """The kind of accelerator that torch can use; None without one."""
    return torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else None


def name_of(device: str) -> str:
    """The device, as its maker calls it where torch says so."""
    return torch.cuda.get_device_name() if device.startswith("cuda") else device


def main() -> None:
    """Check, print the table, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("generators", nargs="*", metavar="GENERATOR", help=f"some of: {', '.join(PROFILES)}")
    parser.add_argument("--device", help="such as cuda or cpu (default: the accelerator of this machine)")
    parser.add_argument("--steps", type=int, default=300, help="steps of training (default: 300)")
    parser.add_argument("--profile", default="paper", help="size of the generators (default: paper)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    chosen = parser.parse_args()
    if chosen.steps < 1 or (unknown := set(chosen.generators) - PROFILES.keys()):
        parser.error(f"--steps {chosen.steps}" if chosen.steps < 1 else f"no generator {min(unknown)}")
    device = chosen.device or accelerator()
    if device is None:
        print(
            f"no GPU: torch {torch.__version__} finds no accelerator on this machine, so that nothing was checked.\n"
            'Install a build of torch for the GPU, or try the check on the processor: ARGS="--device cpu --steps 2"',
            file=sys.stderr,
        )
        sys.exit(2)
    print(f"{name_of(device)}, torch {torch.__version__}, profile {chosen.profile}, {chosen.steps} steps\n")
    print("| | weights | batch | precision | training tokens/s | greedy documents/s | memory | loss |")
    print("|---|---:|---:|---|---:|---:|---:|---|", flush=True)
    rows = []
    for name in chosen.generators or PROFILES:
        _forgotten(device)
        try:
            rows.append(checked(name, find_profile(name, chosen.profile), device, chosen.steps))
        except (RuntimeError, MemoryError) as error:  # torch raises both for memory that is too short
            rows.append({"generator": name, "error": f"{type(error).__name__}: {error}"[:300]})
        print(_shown(rows[-1]), flush=True)
    if chosen.json:
        head = {"device": name_of(device), "torch": torch.__version__, "profile": chosen.profile, "steps": chosen.steps}
        chosen.json.write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n")
    sys.exit(any("error" in row for row in rows))


def _shown(row: dict[str, Any]) -> str:
    """A line of the table."""
    if "error" in row:
        return f"| {row['generator']} | {' '.join(row['error'].split())} |"
    return (
        f"| {row['generator']} | {row['weights'] / 1e6:.0f} million | {row['batch']} | {row['precision']} "
        f"| {row['training tokens a second']:,.0f} | {row['greedy documents a second']:.1f} "
        f"| {row['memory in MiB']:,.0f} MiB | {row['first loss']:.2f} to {row['last loss']:.2f} |"
    )


if __name__ == "__main__":
    main()
