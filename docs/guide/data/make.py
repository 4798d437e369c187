#!/usr/bin/env python3
"""Makes the files of this folder anew: small files in the layouts of public data sets, with the faults that such
files have. All puzzles are made by `ninefold generate`.

    docs/guide/data/make.py [PROGRAM] [FOLDER]
"""

import pathlib
import random
import subprocess
import sys

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "ninefold"
FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else __file__).resolve()
FOLDER = FOLDER if FOLDER.is_dir() else FOLDER.parent
DRAWS = random.Random(1)


def ninefold(*arguments: str, text: str | None = None) -> list[str]:
    command = [PROGRAM, *arguments, "--quiet", "--exit-zero"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def pairs(count: int, seed: int, *options: str) -> list[list[str]]:
    return [it.split(",") for it in ninefold("generate", "--format=pair", f"-n{count}", f"-s{seed}", *options)]


def write(name: str, lines: list[str], end: str = "\n") -> None:
    (FOLDER / name).write_bytes((end.join(lines) + end).encode())


def swapped(answer: str) -> str:
    """An answer in which two digits of the first row are exchanged."""
    return answer[1] + answer[0] + answer[2:]


# The layout of sapientinc/sudoku-extreme.
test, train = pairs(50, 21), pairs(200, 22)
leaks = ninefold("augment", "--format", "line", "--seed", "23", text="".join(f"{it[0]}\n" for it in test[:5]))
for place, leak in enumerate(leaks):
    train[40 * place + 7] = [leak, ninefold("solve", leak)[0]]
train[30][1] = swapped(train[30][1])
train[60][0] = train[60][0][:70]
several = next(place for place, cell in enumerate(train[90][0]) if cell != ".")
train[90][0] = train[90][0][:several] + "." + train[90][0][several + 1 :]
for name, rows in ("train.csv", train), ("test.csv", test):
    rated = [f"generated,{puzzle},{answer},{DRAWS.randrange(80)}" for puzzle, answer in rows]
    write(name, ["source,question,answer,rating", *rated])

# The layout of "1 million Sudoku games" (Kaggle).
write("sudoku.csv", ["quizzes,solutions", *(",".join(it) for it in pairs(20, 24, "--grade=naked-singles", "--blank", "0"))])

# A list of a forum: comments, ratings, mixed line ends, a puzzle twice, one with several solutions.
listed = [it[0] for it in pairs(12, 39, "--er", "2.6..6.2")]
listed.append(ninefold("augment", "--format", "line", "--seed", "26", text=f"{listed[2]}\n")[0])
ratings = [it.split(",") for it in ninefold("rate", "--no-header", "--format", "csv", text="\n".join(listed))]
first = next(place for place, cell in enumerate(listed[6]) if cell != ".")
listed[6] = listed[6][:first] + "." + listed[6][first + 1 :]
lines = [f"{puzzle};{'/'.join(it[4:7])};no {place + 1}" for place, (puzzle, it) in enumerate(zip(listed, ratings))]
head = ["# hardest of the week", "# puzzle;ER/EP/ED;name"]
write("forum.txt", [*head, *(f"{line}\r" if place < 5 else line for place, line in enumerate(lines))])

# A grid as it is pasted into a post.
post = ninefold("solve", "--format", "grid", listed[0])
write("post.txt", [line[:21].rstrip() for line in post if line])
