#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times thumbnails of one model by a warm process, and by a process for each, in turns.

    warm.py PROGRAM MODEL [--workers N] [--repeat N]

Prints lines of results as the other benchmarks do: milliseconds of one at a time (the median, and what 99 of 100
take at most), and of each of 20 that N workers, or N processes, make at once.
"""
import argparse, concurrent.futures, json, os, pathlib, subprocess, sys, time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src/bindings/python"))
from zoetrope import Pool  # noqa: E402


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

    def warm(pool, count):
        for future in [pool.submit("thumbnail", model, size=256) for _ in range(count)]:
            future.result()

    one, many = (Pool(workers, program=o.program, threads=workers) for workers in (1, o.workers))
    ways = {"zoetrope best": (lambda: warm(one, 1), lambda count: warm(many, count))}
    with one, many, concurrent.futures.ThreadPoolExecutor(o.workers) as threads:
        ways["process"] = (process, lambda count: list(threads.map(process, range(count))))
        taken = {who: ([], []) for who in ways}
        warm(one, 3), warm(many, 10)
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
