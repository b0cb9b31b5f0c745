#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times thumbnails of one model by a warm process, and by a process for each, in turns.

    warm.py PROGRAM MODEL [--workers N] [--repeat N]

Prints lines of results as the other benchmarks do: milliseconds of one at a time (the median, and what 99 of 100
take at most), and of each of 20 that N workers, or N processes, make at once.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import time


class Client:
    def __init__(self, program, model, workers):
        self.process = subprocess.Popen(
            [program, "serve", "--stdio", "--root", os.path.dirname(model), "--jobs", str(workers), "--threads",
             str(workers)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.name = os.path.basename(model)
        self.process.stdout.readline()

    def ask(self, count):
        line = {"id": 1, "command": "thumbnail", "inputs": [self.name], "flags": {"size": 256}}
        for i in range(count):
            self.process.stdin.write(json.dumps({**line, "id": i}).encode() + b"\n")
        self.process.stdin.flush()
        for _ in range(count):
            head = json.loads(self.process.stdout.readline())
            assert head["code"] == 0, head
            self.process.stdout.read(head["bytes"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("model")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=200)
    o = parser.parse_args()
    model = os.path.abspath(o.model)

    def process(_=None):
        subprocess.run([o.program, "thumbnail", model, "-o", "-", "--size", "256", "--threads", "1", "-q"],
                       stdout=subprocess.DEVNULL, check=True)

    one, many = Client(o.program, model, 1), Client(o.program, model, o.workers)
    ways = {"zoetrope best": (lambda: one.ask(1), lambda count: many.ask(count))}
    with concurrent.futures.ThreadPoolExecutor(o.workers) as pool:
        ways["process"] = (process, lambda count: list(pool.map(process, range(count))))
        taken = {who: ([], []) for who in ways}
        one.ask(3), many.ask(10)
        for round in range(o.repeat):
            for who, (single, several) in ways.items():
                start = time.perf_counter()
                single()
                taken[who][0].append(1000 * (time.perf_counter() - start))
                if round % 10 == 0:
                    start = time.perf_counter()
                    several(20)
                    taken[who][1].append(1000 * (time.perf_counter() - start) / 20)
    for who, (single, several) in taken.items():
        single.sort(), several.sort()
        rows = {"": single[len(single) // 2], "_p99": single[len(single) * 99 // 100],
                "_each": several[len(several) // 2]}
        for row, value in rows.items():
            print(json.dumps({"case": "serve_fox" + row, "who": who, "unit": "ms", "min": value, "median": value,
                              "repeats": o.repeat}))


if __name__ == "__main__":
    main()
