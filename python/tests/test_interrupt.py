"""Ctrl-C, other Python threads, and forks."""

import os
import signal
import subprocess
import sys
import threading
import time

import ninefold
import pyarrow as pa
import pytest
from conftest import BLANK, EASY, SOLVED

# Rated 11.9: a search of many seconds.
LONG = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."

CALLS = {
    "count": "ninefold.count('.' * 81, 10**12)",
    "solutions": "ninefold.solutions('.' * 81, 10**12)",
    "array": "ninefold.count_array(pa.array(['.' * 81] * 10**6), 10**4)",
    "threads": "ninefold.count_array(pa.array(['.' * 81] * 10**6), 10**4, threads=2)",
    "stream": "list(ninefold.count_array(pa.chunked_array([['.' * 81] * 10**6]), 10**4))",
    "exported": "pa.chunked_array(ninefold.count_array(pa.chunked_array([['.' * 81] * 10**6]), 10**4))",
    "generate": "ninefold.generate(10**9, seed=1)",
    "rate": f"ninefold.rate('{LONG}')",
    "ratings": f"ninefold.rate_array(['{LONG}'] * 9)",
    "ratings, threads": f"ninefold.rate_array(['{LONG}'] * 9, threads=2)",
    "steps": f"ninefold.steps('{LONG}')",
    "steps, stream": f"list(ninefold.steps_array(pa.chunked_array([['{LONG}']])))",
}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c(name: str) -> None:
    code = f"import ninefold, pyarrow as pa; print('ready', flush=True); {CALLS[name]}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert child.poll() is None, child.communicate()[1]
        child.send_signal(signal.SIGINT)
        try:
            _, errors = child.communicate(timeout=60)
        finally:
            child.kill()
    # A stream that another library pulls can only fail: that library reports our reason.
    assert "KeyboardInterrupt" in errors or "interrupted" in errors
    assert child.returncode != 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_keeps_the_puzzles_that_were_made() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as stopped:
            ninefold.generate(10**9, seed=1)
    finally:
        signal.signal(signal.SIGALRM, before)
    made = stopped.value.puzzles  # type: ignore[attr-defined]
    assert made and made == ninefold.generate(len(made), seed=1)


def test_other_threads_run_meanwhile() -> None:
    ticks, stop = [0], threading.Event()

    def tick() -> None:
        while not stop.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        while ticks[0] == 0:
            time.sleep(0.001)
        before = ticks[0]
        ninefold.count(BLANK, 300_000)
        during = ticks[0] - before
        assert during > 0
        before = ticks[0]
        pa.chunked_array(ninefold.count_array(pa.chunked_array([[BLANK] * 2000]), 300))
        assert ticks[0] > before
    finally:
        stop.set()
        thread.join()


def test_many_threads_at_once() -> None:
    puzzles, found = pa.array([EASY] * 5000), []

    def solve() -> None:
        found.append(pa.array(ninefold.solve_array(puzzles, threads=2)))
        found.append(ninefold.solve(EASY))

    threads = [threading.Thread(target=solve) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    assert all(it == SOLVED if isinstance(it, str) else it.unique().to_pylist() == [SOLVED] for it in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_can_use_threads_again() -> None:
    code = """
import ninefold, os, pyarrow as pa
puzzles = pa.array(["%s"] * 20000)
ninefold.solve_array(puzzles, threads=2)
child = os.fork()
if child == 0:
    ok = len(ninefold.solve_array(puzzles, threads=2)) == 20000
    os._exit(0 if ok else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""" % EASY
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    assert run.stdout == "0\n", run.stderr
