"""A short solver, to have something to test: python3 my_solver.py < puzzles > answers"""

import sys

PEERS = [
    [b for b in range(81) if a != b and (a // 9 == b // 9 or a % 9 == b % 9 or (a // 27, a % 9 // 3) == (b // 27, b % 9 // 3))]
    for a in range(81)
]


def solve(cells):
    fewest = None
    for cell in range(81):
        if cells[cell] == ".":
            digits = set("123456789") - {cells[peer] for peer in PEERS[cell]}
            if fewest is None or len(digits) < len(fewest[1]):
                fewest = cell, digits
    if fewest is None:
        return "".join(cells)
    cell, digits = fewest
    for digit in sorted(digits):
        cells[cell] = digit
        if answer := solve(cells):
            return answer
    cells[cell] = "."
    return None


for line in sys.stdin:
    print(solve(list(line.strip().replace("0", "."))) or "no solution", flush=True)
