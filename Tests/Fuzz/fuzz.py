#!/usr/bin/env python3
"""Runs the fuzz targets: from the corpus that is kept, the golden vectors and whole sessions, for a time each.

Findings go to .build/fuzz/findings, what was found on the way to .build/fuzz/corpus. `--keep` takes the smallest part
of it that covers as much into Tests/Fuzz/Corpus.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

from seeds import ROOT, all_seeds

BUILD = os.path.join(ROOT, ".build", "fuzz")
PROGRAM = os.path.join(BUILD, "release", "catrace-fuzz")
KEPT = os.path.join(ROOT, "Tests", "Fuzz", "Corpus")
LONGEST = 4096  # of an input, in bytes
KEPT_BYTES = 20_000  # of each target, seeds apart: every run of the tests takes them all
# Swift's own backtracer would hold the output open behind a finding; leaks are looked for at the end of a run.
ENVIRONMENT = os.environ | {
    "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1"}


def folder(*parts):
    path = os.path.join(*parts)
    os.makedirs(path, exist_ok=True)
    return path


def write(path, data):
    name = hashlib.sha256(data).hexdigest()[:16]
    with open(os.path.join(path, name), "wb") as file:
        file.write(data)


def start(target, arguments):
    """The seeds of today beside what was found before, and the fuzzer on all of it."""
    corpus = folder(BUILD, "corpus", target)
    for name, data in all_seeds():
        if name == target:
            write(corpus, data)
    log = open(os.path.join(folder(BUILD, "logs"), f"{target}.log"), "wb")
    findings = folder(BUILD, "findings", target)
    command = [
        PROGRAM, target, f"-max_total_time={arguments.seconds}", f"-max_len={LONGEST}", "-timeout=20",
        "-rss_limit_mb=2048", f"-seed={arguments.seed}", "-print_final_stats=1", "-use_value_profile=1",
        f"-dict={os.path.join(ROOT, 'Tests', 'Fuzz', 'words.dict')}", f"-artifact_prefix={findings}/",
        corpus, folder(KEPT, target),
    ]
    return subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def report(target, process):
    with open(os.path.join(BUILD, "logs", f"{target}.log"), encoding="utf-8", errors="replace") as file:
        text = file.read()
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text) or re.findall(r"^#(\d+)\s", text, re.M)
    coverage = re.findall(r"cov: (\d+) ft: (\d+)", text)
    found = sorted(os.listdir(os.path.join(BUILD, "findings", target)))
    print(f"{target:<14} {int(runs[-1] if runs else 0):>11} executions  "
          f"{coverage[-1][0] if coverage else 0:>6} edges {coverage[-1][1] if coverage else 0:>7} features  "
          f"{len(found)} findings", flush=True)
    for name in found:
        print(f"  .build/fuzz/findings/{target}/{name}")
    for line in re.findall(r"^(?:catrace-fuzz: .*|.*ERROR: .*|Fatal error.*|.*: Fatal error: .*)$", text, re.M)[:5]:
        print(f"  {line[:600]}")
    if process.returncode != 0 and not found:
        print(f"  ended with {process.returncode}, see .build/fuzz/logs/{target}.log")
    return process.returncode == 0 and not found


def keep(target):
    """The fewest and shortest inputs that cover what all cover; those with the most new in them first."""
    merged = folder(BUILD, "merged", target)
    shutil.rmtree(merged)
    os.makedirs(merged)
    command = [PROGRAM, target, "-merge=1", f"-max_len={LONGEST}", merged, folder(KEPT, target),
               folder(BUILD, "corpus", target)]
    subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True, timeout=1200)
    chosen, size = [], 0
    for path in sorted((os.path.join(merged, name) for name in os.listdir(merged)), key=os.path.getsize):
        size += os.path.getsize(path)
        if size <= KEPT_BYTES:
            chosen.append(path)
    shutil.rmtree(os.path.join(KEPT, target))
    kept = folder(KEPT, target)
    for path in chosen:
        with open(path, "rb") as file:
            write(kept, file.read())
    # Sessions and vectors stay whatever their size: they are what the protocol is for.
    for name, data in all_seeds():
        if name == target and target in ("server", "client"):
            write(kept, data)
    files = [os.path.getsize(os.path.join(kept, name)) for name in os.listdir(kept)]
    print(f"{target:<14} keeps {len(files)} inputs, {sum(files)} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=3600, help="for each target")
    parser.add_argument("--at-once", type=int, default=1, help="targets that run beside each other")
    parser.add_argument("--seed", type=int, default=int(time.time()) & 0xFFFFFFF)
    parser.add_argument("--keep", action="store_true", help="only takes what was found into Tests/Fuzz/Corpus")
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    known = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for target in arguments.targets:
        if target not in known:
            sys.exit(f"there is no target {target}: the targets are {', '.join(known)}")
    targets = arguments.targets or known
    if arguments.keep:
        for target in targets:
            keep(target)
        return
    print(f"seed {arguments.seed}, {arguments.seconds} s each: {' '.join(targets)}", flush=True)
    waiting, running, good = list(targets), {}, True
    try:
        while waiting or running:
            while waiting and len(running) < arguments.at_once:
                target = waiting.pop(0)
                running[target] = start(target, arguments)
            time.sleep(0.2)
            for target in [name for name, process in running.items() if process.poll() is not None]:
                good &= report(target, running.pop(target))
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
