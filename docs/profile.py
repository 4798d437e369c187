#!/usr/bin/env python3
"""Where the time of a whole run goes, by stage.

    cargo build --profile profiling
    python3 docs/profile.py target/profiling/ninefold solve --unique -j 1 -q puzzles.txt -o /dev/null

Samples the run with `perf record -e cpu-clock` (Debian's linux-perf; no counters needed), and asks
`addr2line` for the chain of inlined functions at each sampled address. A sample belongs to the
innermost function of this project in its chain.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

# The first pattern that a source line's file and function match names the stage.
STAGES = [
    (r"engine/lanes/propagate", "propagation"),
    (r"engine/lanes/choose|::take\b|cells_with|cells_of_two|has_clash", "branching"),
    (r"copy_lane|copy_board|::put\b|::start\b|set_cell|::solution\b", "boards in and out of lanes"),
    (r"engine/lanes/search", "lane events"),
    (r"engine/lanes/(avx|word)", "propagation"),
    (r"engine/", "other engine"),
    (r"puzzle/parse|puzzle/grid", "parsing"),
    (r"src/input/", "line splitting"),
    (r"src/output/|puzzle/render", "records"),
    (r"src/(pipeline|bulk|solve)/", "pipeline"),
]


def stage(chain):
    for place in chain:
        if "/src/" in place and "/rustc/" not in place and "/.cargo/" not in place:
            for pattern, name in STAGES:
                if re.search(pattern, place):
                    return name
    return "libraries"


def main():
    program = os.path.realpath(sys.argv[1])
    data = tempfile.mktemp()
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "20000", "-o", data]
    subprocess.run(record + sys.argv[1:], check=False)
    script = ["perf", "script", "-i", data, "-F", "ip,sym,dso", "--show-mmap-events"]
    text = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    os.unlink(data)

    bases, samples = {}, collections.Counter()
    stages = collections.Counter()
    for line in text.splitlines():
        mapped = re.search(r"\[0x([0-9a-f]+)\(0x[0-9a-f]+\) @ (0x)?([0-9a-f]+) .*r-xp (\S+)", line)
        if mapped and mapped[4] == program:
            bases[program] = int(mapped[1], 16) - int(mapped[3], 16)
            continue
        sample = re.match(r"\s*([0-9a-f]+) (.*) \((.*)\)$", line)
        if not sample:
            continue
        if "[kernel" in sample[3] or sample[3] == "[unknown]":
            stages["kernel"] += 1
        elif sample[3] == program:
            samples[int(sample[1], 16) - bases.get(program, 0)] += 1
        else:
            stages["libraries"] += 1

    # An executable's segments are mapped a few pages from where the file has them.
    headers = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True)
    loads = re.findall(r"LOAD\s+0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E", headers.stdout)
    offset, address, _ = (int(number, 16) for number in loads[0])
    places = {ip: ip - offset + address for ip in samples}
    query = "\n".join(hex(place) for place in places.values())
    lines = subprocess.run(
        ["addr2line", "-e", program, "-a", "-i", "-f", "-C"],
        input=query, capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    chains, current = {}, None
    for line in lines:
        if line.startswith("0x"):
            current = chains.setdefault(int(line, 16), [])
        elif current is not None:
            current.append(line)
    for ip, count in samples.items():
        chain = chains[places[ip]]
        pairs = [f"{file} {name}" for name, file in zip(chain[::2], chain[1::2])]
        stages[stage(pairs)] += count

    total = sum(stages.values())
    for name, count in stages.most_common():
        print(f"{name:28} {100 * count / total:5.1f} %")
    print(f"{'samples':28} {total:5}")


main()
