#!/usr/bin/env python3
"""Writes the corpus of layouts, tests/corpus/*.txt. README.md says what it is and how it is run.

A layout is the output of a real tool where that can be had, else it is written by the rules of the tool.
The expected reading is written by hand, here, beside the layout: no program has computed it.
"""

import csv, gzip, io, json, os, re, subprocess, sys, tempfile, zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "layouts"

P = [line.replace("0", ".") for line in (DATA / "kaggle_training_puzzles.txt").read_text().split()]
S = (DATA / "solutions.txt").read_text().split()
Z = [puzzle.replace(".", "0") for puzzle in P]
assert len(P) == len(S) == 5


def marks(grid):
    """The pencilmarks of a grid before anything is excluded: 729 characters."""
    return "".join("123456789" if c == "." else "........."[: int(c) - 1] + c + "........."[int(c):] for c in grid)


K = [marks(puzzle) for puzzle in P]

# ---- Entries --------------------------------------------------------------------------------------

entries, names = {}, set()


def add(room, name, made_by, data, reads, **more):
    """One layout. `reads` is the expected reading, as README.md describes it."""
    assert name not in names, name
    names.add(name)
    data = data.encode() if isinstance(data, str) else bytes(data)
    entries.setdefault(room, []).append((name, made_by, data, reads, more))


def reading(form, rows=range(1, 6)):
    return " ".join(form.replace("#", str(row)) for row in rows)


BOTH, ONLY, FULL = reading("P#=S#"), reading("P#"), reading("S#")
# With other lines above and below, which may be malformed records.
NOISY = f"bad* {BOTH} bad*"
# No rule tells: it may be read with its answers or without, be refused, or be all malformed. What it may
# not be is read as something else.
ODD = f"{NOISY} or bad* {ONLY} bad* or refused or bad*"
REFUSED = "refused"


def below(before, after=""):
    """Each puzzle is above its solution, between lines of other text: all of them are read as puzzles."""
    return " ".join(f"{before} P{i} S{i} {after}".strip() for i in range(1, 6))


BOTH_OF_TWO = "P1=S1 P2=S2"

# ---- Tokens: grids are written as <P1>, so that a reader sees the layout ---------------------------

LETTERS = {"P": (P, "."), "Z": (P, "0"), "U": (P, "_"), "X": (P, "*"), "M": (P, "-"), "L": (P, "x"),
           "N": (P, "null"), "Y": (P, " "), "G": (P, ""), "S": (S, "")}
SEPARATORS = ["", ",", ", ", " ", "  ", "\t", ";", "|"]


def patterns():
    found = {}
    for letter, (grids, blank) in LETTERS.items():
        for number, grid in enumerate(grids, 1):
            cells = [blank if c == "." else c for c in grid]
            for separator in SEPARATORS:
                if letter in "GY" and separator == "" or letter == "N" and separator == "":
                    continue
                spans = [(0, 81)] + [(row * 9, row * 9 + 9) for row in range(9)]
                for start, end in spans:
                    if end - start == 9 and separator == "" and letter in "GN":
                        continue
                    text = separator.join(cells[start:end])
                    if len(text) < 9 or not re.search(r"[0-9]", text):
                        continue
                    name = f"{letter}{number}"
                    name += f":{start + 1}-{end}" if end - start < 81 or separator else ""
                    name += f":{separator}" if separator else ""
                    found.setdefault(text, name.replace("\t", "TAB"))
    for number, text in enumerate(K, 1):
        found[text] = f"K{number}"
        found[text.replace(".", "0")] = f"J{number}"
    return found


PATTERNS = patterns()
TOKENS = re.compile("|".join(re.escape(text) for text in sorted(PATTERNS, key=len, reverse=True)))


def escape(data):
    """Bytes as text: LF ends a line; what cannot be seen or is not UTF-8, and `<`, is in hex."""
    text = data.decode("utf-8", "surrogateescape")
    out, last = [], 0

    def char(c):
        if c == "\n" or " " <= c <= "~" and c != "<" or c.isprintable() and c > "\xa0" and c != "\ufeff":
            return c
        names = {"\r": "<CR>", "\t": "<TAB>"}
        return names.get(c) or "".join(f"<{byte:02X}>" for byte in c.encode("utf-8", "surrogateescape"))

    for match in TOKENS.finditer(text):
        out += [*map(char, text[last:match.start()]), f"<{PATTERNS[match[0]]}>"]
        last = match.end()
    out += map(char, text[last:])
    body = re.sub(r"(?m) $", "<20>", re.sub(r"(?m)^===", "<3D>==", "".join(out)))
    return body + ("" if data.endswith(b"\n") else "<end>\n")


def unescape(text):
    """The other way, as the test program does it, to be sure that nothing is lost."""
    if text.endswith("<end>\n"):
        text = text[:-6]

    def token(match):
        word = match[1].decode()
        if re.fullmatch("[0-9A-F]{2}", word):
            return bytes([int(word, 16)])
        if word in ("CR", "TAB"):
            return {"CR": b"\r", "TAB": b"\t"}[word]
        letter, number, *rest = re.fullmatch(r"([A-Z])(\d)(?::(\d+)-(\d+))?(?::(.*))?", word).groups()
        if letter in "KJ":
            return K[int(number) - 1].replace(".", "." if letter == "K" else "0").encode()
        grids, blank = LETTERS[letter]
        start, end, separator = int(rest[0] or 1) - 1, int(rest[1] or 81), (rest[2] or "").replace("TAB", "\t")
        return separator.join(blank if c == "." else c for c in grids[int(number) - 1][start:end]).encode()

    return re.sub(b"<([^>]*)>", token, text.encode())


def write():
    total = 0
    for room, found in entries.items():
        lines = []
        for name, made_by, data, reads, more in found:
            lines.append(f"=== {name}\nfrom: {made_by}\nreads: {reads}\n")
            if "\n" in made_by or "\n" in reads:
                sys.exit(f"{name}: one line, please")
            if more.pop("packed", False):
                more["encoding"] = "gzip-hex"
                body = gzip.compress(data, 9, mtime=0).hex()
                body = "".join(body[i:i + 120] + "\n" for i in range(0, len(body), 120))
            else:
                body = escape(data)
                assert unescape(body) == data, name
            lines += [f"{key}: {value}\n" for key, value in more.items()]
            lines += ["---\n", body]
        (HERE / f"{room}.txt").write_text("".join(lines), encoding="utf-8")
        total += len(found)
        print(f"{room}.txt: {len(found)}")
    print(f"{total} layouts")


# ---- Tools ----------------------------------------------------------------------------------------

def run(*words, stdin="", **more):
    done = subprocess.run([str(word) for word in words], input=stdin.encode() if isinstance(stdin, str) else stdin,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    if done.returncode:
        sys.exit(f"{words}: {done.stderr.decode()}")
    return done.stdout


def in_file(write_to, name="out"):
    """What a call that takes a path writes there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_to(str(path))
        return path.read_bytes()


def workbook(frame, **more):
    """What openpyxl writes, without the time of day."""
    made, dated = in_file(lambda f: frame.to_excel(f, **more), "out.xlsx"), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(dated, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2024-01-01T00:00:00Z", old.read(name))
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return dated.getvalue()


def version(words):
    return re.search(r"\d+\.\d+(\.\d+)*", run(*words).decode())[0]


# ---- Tables from Python ---------------------------------------------------------------------------

import datasets, duckdb, numpy as np, openpyxl, pandas as pd, polars as pl, pyarrow as pa
import pyarrow.csv, pyarrow.feather, pyarrow.parquet

datasets.disable_progress_bars()
VERSIONS = {"pandas": pd, "polars": pl, "duckdb": duckdb, "pyarrow": pa, "numpy": np, "datasets": datasets}
VERSIONS = {name: module.__version__ for name, module in VERSIONS.items()}
VERSIONS["python"] = "%d.%d" % sys.version_info[:2]

ids = range(1, 6)
df = pd.DataFrame({"puzzle": P, "solution": S})
dz = pd.DataFrame({"puzzle": Z, "solution": S})
full = pd.DataFrame({"id": ids, "puzzle": P, "solution": S, "clues": [81 - p.count(".") for p in P],
                     "difficulty": [0.0, 1.5, 2.25, 7.0, 4.5]})
gaps = df.assign(solution=[S[0], None, S[2], None, S[4]])
first_gap = df.assign(solution=[None, None, S[2], S[3], S[4]])
lists = pd.DataFrame({"puzzle": [[int(c) for c in z] for z in Z], "solution": [[int(c) for c in s] for s in S]})[:3]
nested = lists.map(lambda cells: [cells[i:i + 9] for i in range(0, 81, 9)])
GAPS = "P1=S1 P2 P3=S3 P4 P5=S5"
FIRST_GAP = "P1 P2 P3=S3 P4=S4 P5=S5"
BOTH3, ONLY3 = reading("P#=S#", range(1, 4)), reading("P#", range(1, 4))
def after(tool, room, name, expression, reads, **more):
    """A layout that a Python expression gives; the expression says how it was made."""
    call = re.sub(r"in_file\(lambda f: (.*)\)$", r"\1", expression)
    data = eval(expression)
    add(room, f"{tool}-{name}", f"{tool} {VERSIONS[tool]}: {call}", data, reads, **more)


def pandas(name, expression, reads, **more):
    after("pandas", "tables", name, expression, reads, **more)


pandas("index", "df.to_csv()", BOTH)
pandas("no-index", "df.to_csv(index=False)", BOTH)
pandas("semicolon", "df.to_csv(sep=';')", BOTH)
pandas("tab", "df.to_csv(sep='\\t', index=False)", BOTH)
pandas("bar", "df.to_csv(sep='|', index=False)", BOTH)
pandas("space", "df.to_csv(sep=' ', index=False)", BOTH)
pandas("space-index", "df.to_csv(sep=' ')", "bad? " + BOTH)
pandas("colon", "df.to_csv(sep=':', index=False)", ODD)
pandas("quote-all", "df.to_csv(quoting=csv.QUOTE_ALL, index=False)", BOTH)
pandas("quote-all-semicolon", "df.to_csv(quoting=csv.QUOTE_ALL, sep=';')", BOTH)
pandas("quote-nonnumeric", "full.to_csv(quoting=csv.QUOTE_NONNUMERIC)", BOTH)
pandas("quote-none", "dz.to_csv(quoting=csv.QUOTE_NONE)", BOTH)
pandas("apostrophes", "df.to_csv(quotechar=\"'\", quoting=csv.QUOTE_ALL, index=False)", ODD)
pandas("gaps", "gaps.to_csv(index=False)", GAPS)
pandas("gaps-index", "gaps.to_csv()", GAPS)
pandas("gaps-quoted", "gaps.to_csv(quoting=csv.QUOTE_ALL, index=False)", GAPS)
pandas("gaps-na", "gaps.to_csv(na_rep='NA', index=False)", "P1=S1 P2=bad? P3=S3 P4=bad? P5=S5")
pandas("gaps-nan", "gaps.to_csv(na_rep='NaN', sep=';')", "P1=S1 P2=bad? P3=S3 P4=bad? P5=S5")
pandas("gaps-first", "first_gap.to_csv(index=False)", FIRST_GAP)
pandas("gaps-first-no-header", "first_gap.to_csv(index=False, header=False)", FIRST_GAP)
pandas("gaps-first-index-no-header", "first_gap.to_csv(header=False)", FIRST_GAP)
pandas("gaps-first-quoted-no-header", "first_gap.to_csv(index=False, header=False, quoting=csv.QUOTE_ALL)", FIRST_GAP)
pandas("gaps-first-other-name",
       "first_gap.rename(columns={'solution': 'solved'}).to_csv(index=False)", FIRST_GAP)
pandas("no-header", "df.to_csv(header=False)", BOTH)
pandas("no-header-no-index", "df.to_csv(header=False, index=False)", BOTH)
pandas("no-header-tab", "dz.to_csv(header=False, sep='\\t')", BOTH)
pandas("index-label", "df.to_csv(index_label='id')", BOTH)
pandas("crlf", "df.to_csv(lineterminator='\\r\\n', index=False)", BOTH)
pandas("zeros", "dz.to_csv(index=False)", BOTH)
pandas("all-columns", "full.to_csv(index=False)", BOTH)
pandas("columns-swapped", "full[['solution', 'id', 'puzzle']].to_csv(index=False)", BOTH)
pandas("columns-swapped-no-header", "df[['solution', 'puzzle']].to_csv(index=False, header=False)", BOTH)
pandas("quizzes", "dz.set_axis(['quizzes', 'solutions'], axis=1).to_csv(index=False)", BOTH)
pandas("upper-case", "df.set_axis(['PUZZLE', 'Solution'], axis=1).to_csv()", BOTH)
pandas("givens", "df.set_axis(['givens', 'solution'], axis=1)[['solution', 'givens']].to_csv(index=False)", BOTH)
pandas("unsolved", "df.set_axis(['unsolved', 'solved'], axis=1)[['solved', 'unsolved']].to_csv(index=False)", BOTH)
pandas("input-output", "df.set_axis(['input', 'output'], axis=1)[['output', 'input']].to_csv()", BOTH)
pandas("long-names", "df.set_axis(['puzzle_start', 'puzzle_solution'], axis=1).iloc[:, ::-1].to_csv(index=False)", BOTH)
pandas("names-unknown", "df.set_axis(['a', 'b'], axis=1).to_csv(index=False)", BOTH)
pandas("names-unknown-swapped", "df.set_axis(['a', 'b'], axis=1)[['b', 'a']].to_csv()", BOTH)
pandas("names-numbers", "df.set_axis([0, 1], axis=1).to_csv()", "bad? " + BOTH)
pandas("names-numbers-no-index", "df.set_axis([0, 1], axis=1).to_csv(index=False)", "bad? " + BOTH)
pandas("names-crossed", "df.set_axis(['solution', 'puzzle'], axis=1).to_csv(index=False)", BOTH + " or refused")
pandas("names-spaces", "df.set_axis([' puzzle ', ' solution'], axis=1).to_csv(index=False)", BOTH)
pandas("name-solved", "full.rename(columns={'solution': 'solved'})[['id', 'puzzle', 'solved']].to_csv(index=False)", BOTH)
pandas("solution-grid", "df.set_axis(['puzzle', 'solution_grid'], axis=1).to_csv(index=False)", BOTH)
pandas("solutions-counted", "full.assign(solutions=1)[['puzzle', 'solutions']].to_csv(index=False)", ONLY)
pandas("solutions-counted-beside", "df.assign(solutions=1)[['puzzle', 'solutions', 'solution']].to_csv(index=False)", BOTH)
pandas("only-puzzles", "full[['id', 'puzzle']].to_csv(index=False)", ONLY)
pandas("only-solutions", "full[['id', 'solution']].to_csv(index=False)", FULL + " or refused")
pandas("two-headers", "pd.concat({'data': df}, axis=1).to_csv()", "bad? " + BOTH + " or refused")
pandas("two-indexes", "full.set_index(['id', 'clues'])[['puzzle', 'solution']].to_csv()", BOTH)
pandas("puzzle-index", "df.set_index('puzzle').to_csv()", BOTH)
pandas("bom", "df.to_csv(index=False).encode('utf-8-sig')", BOTH)
pandas("bom-semicolon-index", "df.to_csv(sep=';').encode('utf-8-sig')", BOTH)
pandas("bom-no-header", "df.to_csv(index=False, header=False).encode('utf-8-sig')", BOTH)
pandas("utf-16", "df[:2].to_csv(index=False).encode('utf-16')", "refused")
pandas("utf-16-no-header", "df[:2].to_csv(index=False, header=False).encode('utf-16')", "refused")
pandas("series", "df.puzzle.to_csv()", ONLY)
pandas("series-bare", "df.puzzle.to_csv(index=False, header=False)", ONLY)
pandas("series-index-no-header", "df.puzzle.to_csv(header=False)", ONLY)
pandas("numbers-lost-zeros", "pd.read_csv(io.StringIO(dz.to_csv(index=False)), dtype=float).to_csv(index=False)", REFUSED)
pandas("puzzles-lost-zeros",
       "pd.read_csv(io.StringIO(dz.to_csv(index=False)), dtype={'puzzle': float, 'solution': str}).to_csv(index=False)",
       "bad bad bad bad bad or refused")
pandas("read-again", "pd.read_csv(io.StringIO(dz.to_csv(index=False))).to_csv(index=False)", "P1=S1 bad P3=S3 bad P5=S5")
pandas("integers", "dz.assign(puzzle=[int(z) for z in Z]).to_csv(index=False)", "P1=S1 bad P3=S3 bad P5=S5")
pandas("list-cells", "lists.to_csv(index=False)", f"{BOTH3} or {ONLY3} or refused or bad*")
pandas("string", "df.to_string(max_colwidth=None)", "bad? " + BOTH)
pandas("string-no-index", "full.to_string(index=False)", BOTH)
pandas("print-cut", "str(df)", REFUSED)
pandas("markdown", "df.to_markdown(index=False)", BOTH)
pandas("markdown-index", "full.to_markdown()", BOTH)
pandas("markdown-github", "df.to_markdown(index=False, tablefmt='github')", BOTH)
pandas("markdown-grid", "df.to_markdown(index=False, tablefmt='grid')", ODD)
pandas("markdown-simple", "df.to_markdown(index=False, tablefmt='simple')", NOISY)
pandas("markdown-psql", "df.to_markdown(index=False, tablefmt='psql')", NOISY)
pandas("markdown-rst", "df.to_markdown(index=False, tablefmt='rst')", ODD)
pandas("markdown-orgtbl", "df.to_markdown(index=False, tablefmt='orgtbl')", NOISY)
pandas("markdown-jira", "df.to_markdown(index=False, tablefmt='jira')", ODD)
pandas("latex", "full[['id', 'puzzle', 'solution']].to_latex(index=False)", ODD)
pandas("latex-index", "df.to_latex()", ODD)
pandas("html", "df[:2].to_html()", REFUSED)
pandas("repr-of-dict", "repr(df[:2].to_dict('records'))", REFUSED)
pandas("parquet", "df[:2].to_parquet()", BOTH_OF_TWO, packed=True)
pandas("pickle", "in_file(lambda f: df[:2].to_pickle(f))", REFUSED, packed=True)
pandas("excel", "workbook(df[:2], index=False)", REFUSED, packed=True)


def polars(name, expression, reads, **more):
    after("polars", "tables", name, expression, reads, **more)


pf, pz, pg = pl.DataFrame({"puzzle": P, "solution": S}), pl.DataFrame({"puzzle": Z, "solution": S}), pl.DataFrame(
    {"puzzle": P, "solution": [None, S[1], None, S[3], S[4]]})
PG = "P1 P2=S2 P3 P4=S4 P5=S5"
polars("csv", "pf.write_csv()", BOTH)
polars("csv-row-index", "pz.with_row_index().write_csv()", BOTH)
polars("csv-semicolon", "pf.write_csv(separator=';')", BOTH)
polars("csv-tab", "pz.write_csv(separator='\\t')", BOTH)
polars("csv-quoted", "pf.write_csv(quote_style='always')", BOTH)
polars("csv-quoted-non-numeric", "pz.write_csv(quote_style='non_numeric', separator='|')", BOTH)
polars("csv-no-header", "pf.write_csv(include_header=False)", BOTH)
polars("csv-bom", "pf.write_csv(include_bom=True)", BOTH)
polars("csv-crlf", "pf.write_csv(line_terminator='\\r\\n')", BOTH)
polars("csv-gaps", "pg.write_csv()", PG)
polars("csv-gaps-quoted", "pg.write_csv(quote_style='always', include_header=False)", PG)
polars("csv-null-word", "pg.write_csv(null_value='null')", "P1=bad? P2=S2 P3=bad? P4=S4 P5=S5")
polars("print", "str(pf)", REFUSED)
polars("parquet", "in_file(lambda f: pf[:2].write_parquet(f))", BOTH_OF_TWO, packed=True)
polars("ipc", "in_file(lambda f: pf[:2].write_ipc(f))", REFUSED, packed=True)


def arrow(name, expression, reads, **more):
    after("pyarrow", "tables", name, expression, reads, **more)


at = pa.table({"puzzle": P, "solution": S})
arrow("csv", "in_file(lambda f: pa.csv.write_csv(at, f))", BOTH)
arrow("csv-no-header", "in_file(lambda f: pa.csv.write_csv(at, f, pa.csv.WriteOptions(include_header=False)))", BOTH)
arrow("csv-semicolon", "in_file(lambda f: pa.csv.write_csv(at, f, pa.csv.WriteOptions(delimiter=';', quoting_style='none')))", BOTH)
arrow("parquet-gzip", "in_file(lambda f: pa.parquet.write_table(at[:2], f, compression='gzip'))", BOTH_OF_TWO, packed=True)
arrow("feather", "in_file(lambda f: pa.feather.write_feather(at[:2], f, compression='uncompressed'))", REFUSED, packed=True)


def through(writer):
    text = io.StringIO()
    writer(text)
    return text.getvalue()


def python(name, expression, reads, room="tables", **more):
    after("python", room, name, expression, reads, **more)


pairs = list(zip(P, S))
python("csv-excel", "through(lambda f: csv.writer(f).writerows(pairs))", BOTH)
python("csv-excel-tab", "through(lambda f: csv.writer(f, 'excel-tab').writerows([('n', 'start', 'end')] + list(zip(ids, P, S))))", BOTH)
python("csv-unix", "through(lambda f: csv.writer(f, 'unix').writerows(pairs))", BOTH)
python("csv-semicolon-swapped", "through(lambda f: csv.writer(f, delimiter=';').writerows(zip(S, P)))", BOTH)
python("csv-solution-first-other-between", "through(lambda f: csv.writer(f).writerows(zip(S, ids, Z)))", BOTH)
python("csv-empty-first-column", "through(lambda f: csv.writer(f).writerows(zip([''] * 5, P, S)))", BOTH)
python("print-pairs", "''.join(f'{p} {s}\\n' for p, s in pairs)", BOTH)
python("print-padded", "''.join(f'{i:>8}  {p}  {s}\\n' for i, (p, s) in enumerate(pairs))", BOTH)
python("print-arrow", "''.join(f'{p} -> {s}\\n' for p, s in pairs)", BOTH)
python("print-comma-space", "''.join(f'{i}, {p}, {s}\\n' for i, (p, s) in enumerate(pairs))", BOTH)
python("print-tuples", "''.join(f'{pair}\\n' for pair in pairs)", ODD)
python("print-equals", "''.join(f'{p}={s}\\n' for p, s in pairs)", ODD)

numpy_cells = np.array([[int(c) for c in z] for z in Z])


def numpy(name, expression, reads, **more):
    after("numpy", "tables", name, expression, reads, **more)


numpy("savetxt-integers", "in_file(lambda f: np.savetxt(f, numpy_cells, '%d'))", ONLY)
numpy("savetxt-comma", "in_file(lambda f: np.savetxt(f, numpy_cells, '%d', ','))", ODD)
numpy("savetxt-floats", "in_file(lambda f: np.savetxt(f, numpy_cells[:1]))", REFUSED)
numpy("savetxt-strings", "in_file(lambda f: np.savetxt(f, np.array(pairs), '%s'))", BOTH)
numpy("savetxt-header", "in_file(lambda f: np.savetxt(f, np.array(pairs), '%s', ',', header='puzzle,solution'))", BOTH)
numpy("print", "str(numpy_cells[0].reshape(9, 9)) + '\\n'", REFUSED)
numpy("npy", "in_file(lambda f: np.save(f, numpy_cells[:2].astype('i1')), 'out.npy')", REFUSED, packed=True)

# ---- JSON -----------------------------------------------------------------------------------------

def objects(tool, name, expression, reads, **more):
    after(tool, "objects", name, expression, reads, **more)


def dump_lines(values, **more):
    return "".join(json.dumps(value, **more) + "\n" for value in values)


def cells(text, blank=0):
    return [blank if c in ".0" else int(c) for c in text]


def rows_of(values):
    return [values[i:i + 9] for i in range(0, 81, 9)]


objects("pandas", "json-lines", "df.to_json(orient='records', lines=True)", BOTH)
objects("pandas", "json-lines-all", "full.to_json(orient='records', lines=True)", BOTH)
objects("pandas", "json-lines-gaps", "gaps.to_json(orient='records', lines=True)", GAPS)
objects("pandas", "json-lines-gaps-first", "first_gap.to_json(orient='records', lines=True)", FIRST_GAP)
objects("pandas", "json-lines-arrays", "lists.to_json(orient='records', lines=True)", BOTH3)
objects("pandas", "json-lines-nested", "nested.to_json(orient='records', lines=True)", BOTH3)
objects("pandas", "json-records", "df.to_json(orient='records')", BOTH)
objects("pandas", "json-records-indent", "df.to_json(orient='records', indent=2)", BOTH)
objects("pandas", "json-records-arrays", "lists.to_json(orient='records')", BOTH3)
objects("pandas", "json-split", "df.to_json(orient='split')", REFUSED)
objects("pandas", "json-values", "df.to_json(orient='values')", BOTH + " or refused")
objects("pandas", "json-values-indent", "df.to_json(orient='values', indent=1)", BOTH + " or refused")
objects("pandas", "json-index", "df.to_json(orient='index')", REFUSED)
objects("pandas", "json-index-indent", "df.to_json(orient='index', indent=2)", BOTH + " or refused")
objects("pandas", "json-columns", "df.to_json(orient='columns')", REFUSED)
objects("pandas", "json-columns-indent", "df.to_json(orient='columns', indent=4)", ONLY + " or refused")
objects("pandas", "json-table", "df.to_json(orient='table')", REFUSED)
objects("polars", "ndjson", "pf.write_ndjson()", BOTH)
objects("polars", "ndjson-gaps", "pg.write_ndjson()", PG)
objects("polars", "json", "pf.write_json()", BOTH)
objects("polars", "ndjson-lists", "pl.from_pandas(lists).write_ndjson()", BOTH3)
objects("python", "json-dumps-list", "json.dumps([{'puzzle': p} for p in P])", ONLY)
objects("python", "json-dumps-list-newline", "json.dumps([{'puzzle': p, 'solution': s} for p, s in pairs]) + '\\n'", BOTH)
objects("python", "json-dumps-indent", "json.dumps([{'puzzle': p, 'solution': s} for p, s in pairs], indent=4)", BOTH)
objects("python", "json-dumps-indent-tab",
        "json.dumps([{'solution': s, 'puzzle': p} for p, s in pairs], indent='\\t').replace('\\n', '\\r\\n')", BOTH)
objects("python", "json-dumps-indent-arrays",
        "json.dumps([{'puzzle': rows_of(cells(p)), 'solution': rows_of(cells(s))} for p, s in pairs[:2]], indent=1)",
        "P1=S1 P2=S2")
objects("python", "json-nested-objects", "json.dumps({'data': {'easy': [{'puzzle': p} for p in P]}})", REFUSED)
objects("python", "json-nested-objects-indent", "json.dumps({'data': {'easy': [{'puzzle': p} for p in P]}}, indent=2)",
        ONLY + " or refused")
objects("python", "json-wrapped", "json.dumps({'puzzles': P})", REFUSED)
objects("python", "json-list-of-strings", "json.dumps(P)", ONLY)
objects("python", "json-list-of-strings-indent", "json.dumps(P, indent=2)", ONLY)
objects("python", "json-list-of-pairs", "json.dumps(pairs)", BOTH + " or refused")
objects("python", "json-numbers", "json.dumps([1, 2, 3])", REFUSED)
objects("python", "json-numbers-lines", "dump_lines([[1, 2, 3], [4, 5]])", REFUSED)
objects("python", "json-number-grid", "json.dumps(rows_of(cells(P[0])))", "P1")
objects("python", "json-number-grids", "json.dumps([rows_of(cells(p)) for p in P[:3]])", ONLY3)
objects("python", "json-number-row-lines", "dump_lines(cells(p) for p in P)", ONLY)
objects("python", "json-number-grid-lines", "dump_lines(rows_of(cells(p)) for p in P)", ONLY)
objects("python", "json-lines-null-blanks", "dump_lines({'puzzle': cells(p, None), 'solution': cells(s)} for p, s in pairs)", BOTH)
objects("python", "json-lines-null-grid", "dump_lines({'board': rows_of(cells(p, None))} for p in P)", ONLY)
objects("python", "json-lines-strings-of-cells", "dump_lines({'puzzle': list(p)} for p in P)", ONLY + " or refused")
objects("python", "json-lines-rows-of-strings", "dump_lines({'grid': rows_of(p)} for p in P)", ONLY + " or refused")
objects("python", "json-lines-puzzle-array-solution-string",
        "dump_lines({'puzzle': cells(p), 'solution': s} for p, s in pairs)", BOTH)
objects("python", "json-lines-solution-short-array",
        "dump_lines({'puzzle': p, 'solution': [1, 2]} for p in P)", reading("P#=bad"))
objects("python", "json-lines-solution-null", "dump_lines({'id': i, 'puzzle': p, 'solution': None} for i, p in zip(ids, P))", ONLY)
objects("python", "json-lines-compact", "dump_lines(({'puzzle': p, 'solution': s} for p, s in pairs), separators=(',', ':'))", BOTH)
objects("python", "json-lines-crlf", "dump_lines({'puzzle': p, 'solution': s} for p, s in pairs).replace('\\n', '\\r\\n')", BOTH)
objects("python", "json-lines-blank-lines", "dump_lines({'puzzle': p} for p in P).replace('\\n', '\\n\\n')", ONLY)
objects("python", "json-lines-bom", "dump_lines({'puzzle': p, 'solution': s} for p, s in pairs).encode('utf-8-sig')", BOTH)
objects("python", "json-lines-board", "dump_lines({'id': i, 'board': p} for i, p in zip(ids, P))", ONLY)
objects("python", "json-lines-input", "dump_lines({'input': p, 'target': s} for p, s in pairs)", BOTH)
objects("python", "json-lines-prompt", "dump_lines({'prompt': p, 'completion': s} for p, s in pairs)", BOTH)
objects("python", "json-lines-instruction",
        "dump_lines({'instruction': 'Solve the sudoku.', 'input': p, 'output': s} for p, s in pairs)", BOTH)
objects("python", "json-lines-output-input", "dump_lines({'output': s, 'input': p} for p, s in pairs)", BOTH)
objects("python", "json-lines-grid-start", "dump_lines({'grid': s, 'start': p} for p, s in pairs)", BOTH)
objects("python", "json-lines-answer-first", "dump_lines({'answer': s, 'question': p, 'rating': 0} for p, s in pairs)", BOTH)
objects("python", "json-lines-free-text",
        "dump_lines({'prompt': f'Solve this sudoku: {p}', 'completion': f'It is {s}.'} for p, s in pairs)", "bad* or refused")
objects("python", "json-lines-text-with-grid",
        "dump_lines({'text': f'A puzzle: {p}', 'puzzle': q} for p, q in zip(P[1:] + P[:1], P))", ONLY)
objects("python", "json-lines-chat",
        "dump_lines({'messages': [{'role': 'user', 'content': p}, {'role': 'assistant', 'content': s}]} for p, s in pairs)",
        "bad* or refused")
objects("python", "json-lines-two-boards", "dump_lines({'before': p, 'after': q} for p, q in zip(P, P[1:] + P[:1]))", REFUSED)
objects("python", "json-lines-two-boards-one-named",
        "dump_lines({'state': p, 'puzzle': q, 'solution': s} for p, q, s in zip(P[1:] + P[:1], P, S))", BOTH)
objects("python", "json-lines-nested-meta",
        "dump_lines({'meta': {'puzzle': q}, 'puzzle': p, 'solution': s} for p, q, s in zip(P, P[1:] + P[:1], S))", BOTH)
objects("python", "json-lines-mixed-keys",
        "dump_lines([{'puzzle': P[0], 'solution': S[0]}, {'puzzle': P[1]}, {'solution': S[2], 'puzzle': P[2]}])",
        "P1=S1 P2 P3=S3")
objects("python", "json-lines-one-without", "dump_lines([{'puzzle': P[0]}, {'id': 2}, {'puzzle': P[2]}, {'puzzle': P[3]}])", "P1 bad P3 P4")
objects("python", "json-lines-first-without", "dump_lines([{'id': 0}, {'puzzle': P[1]}, {'puzzle': P[2]}, {'puzzle': P[3]}])", "bad P2 P3 P4")
objects("python", "json-lines-escaped", "dump_lines({'puzzle': p, 'author': 'Å\"\\\\'} for p in P)", ONLY)
objects("python", "json-lines-escaped-cells",
        "dump_lines({'puzzle': p} for p in P).replace('.', '\\\\u002e')", ONLY)
objects("python", "json-lines-joined", "dump_lines({'sudoku': p + s} for p, s in pairs)", BOTH + " or refused")
objects("python", "json-lines-spaced-cells", "dump_lines({'puzzle': ' '.join(p)} for p in P)", ONLY + " or refused")
objects("python", "json-lines-sukaku", "dump_lines({'puzzle': k} for k in K[:2])", "K1 K2")

hf = datasets.Dataset.from_dict({"source": ["puzzles0_kaggle"] * 5, "question": P, "answer": S, "rating": [0, 3, 17, 1, 88]})
hl = datasets.Dataset.from_dict({"puzzle": [cells(p) for p in P], "solution": [cells(s) for s in S]})
objects("datasets", "json-lines", "in_file(lambda f: hf.to_json(f))", BOTH)
objects("datasets", "json-list", "in_file(lambda f: hf.to_json(f, lines=False))", BOTH)
objects("datasets", "json-sequences", "in_file(lambda f: hl.to_json(f))", BOTH)
after("datasets", "tables", "csv", "in_file(lambda f: hf.to_csv(f))", BOTH)
after("datasets", "tables", "csv-sequences", "in_file(lambda f: hl.to_csv(f))", BOTH + " or refused")
after("datasets", "tables", "parquet", "in_file(lambda f: hf.select(range(2)).to_parquet(f))", BOTH_OF_TWO, packed=True)
add("objects", "hf-viewer-rows", "rules: answer of datasets-server.huggingface.co/rows",
    json.dumps({"features": [{"feature_idx": 0, "name": "question"}],
                "rows": [{"row_idx": i, "row": {"question": p, "answer": s}, "truncated_cells": []}
                         for i, (p, s) in enumerate(pairs)], "num_rows_total": 5}), REFUSED)

JQ = version(["jq", "--version"])
ndjson = dump_lines({"id": i, "puzzle": p, "solution": s} for i, (p, s) in enumerate(pairs))


def jq(name, words, reads, room="objects"):
    add(room, f"jq-{name}", f"jq {JQ}: jq {' '.join(words)} of lines with id, puzzle, solution", run("jq", *words, stdin=ndjson), reads)


jq("compact", ["-c", "."], BOTH)
jq("pretty", ["."], BOTH)
jq("slurped", ["-s", "."], BOTH)
jq("slurped-compact", ["-sc", "."], BOTH)
jq("csv", ["-r", "[.id, .puzzle, .solution] | @csv"], BOTH, "tables")
jq("tsv", ["-r", "[.puzzle, .solution] | @tsv"], BOTH, "tables")
jq("raw", ["-r", ".puzzle"], ONLY, "lists")
jq("strings", [".puzzle"], ONLY, "lists")

# ---- Databases and tables on the command line -----------------------------------------------------

db = duckdb.connect()
db.execute("create table sudoku(id integer, puzzle varchar, solution varchar)")
db.executemany("insert into sudoku values (?, ?, ?)", [(i, *pair) for i, pair in zip(ids, pairs)])
db.execute("create table gaps as select id, puzzle, case when id > 2 then solution end as solution from sudoku")
db.execute("create table cells as select id, list_transform(string_split(replace(puzzle, '.', '0'), ''), lambda x: x::int) as board from sudoku")


def duck(name, copy, reads, room="databases", **more):
    """`copy` has FILE for the path."""
    def write_to(path):
        db.execute(copy.replace("FILE", f"'{path}'"))
    add(room, f"duckdb-{name}", f"duckdb {duckdb.__version__}: {copy}", in_file(write_to), reads, **more)


duck("csv", "copy sudoku to FILE (format csv)", BOTH)
duck("csv-no-header", "copy sudoku to FILE (format csv, header false)", BOTH)
duck("csv-semicolon", "copy sudoku to FILE (format csv, delim ';')", BOTH)
duck("csv-tab", "copy (select puzzle, solution from sudoku) to FILE (format csv, delim '\\t', header false)", BOTH)
duck("csv-bar", "copy sudoku to FILE (format csv, delim '|')", BOTH)
duck("csv-quoted", "copy sudoku to FILE (format csv, force_quote *)", BOTH)
duck("csv-apostrophes", "copy sudoku to FILE (format csv, quote '''', force_quote *)", ODD)
duck("csv-gaps", "copy gaps to FILE (format csv)", FIRST_GAP)
duck("csv-gaps-no-header", "copy gaps to FILE (format csv, header false)", FIRST_GAP)
duck("csv-gaps-null", "copy gaps to FILE (format csv, nullstr 'NULL')", "P1=bad? P2=bad? P3=S3 P4=S4 P5=S5")
duck("csv-swapped", "copy (select solution, puzzle from sudoku) to FILE (format csv, header false)", BOTH)
duck("csv-renamed", "copy (select solution as grid, puzzle as start from sudoku) to FILE (format csv)", BOTH)
duck("csv-list", "copy cells to FILE (format csv)", ODD)
duck("csv-struct", "copy (select {'puzzle': puzzle, 'solution': solution} as row from sudoku) to FILE (format csv)", ODD)
duck("json", "copy sudoku to FILE (format json)", BOTH)
duck("json-array", "copy sudoku to FILE (format json, array true)", BOTH)
duck("json-gaps", "copy gaps to FILE (format json)", FIRST_GAP)
duck("json-list", "copy cells to FILE (format json)", ONLY)
duck("json-struct", "copy (select {'puzzle': puzzle} as row from sudoku) to FILE (format json)", ONLY + " or refused")
duck("parquet", "copy (select * from sudoku limit 2) to FILE (format parquet)", BOTH_OF_TWO, packed=True)
add("databases", "duckdb-show", f"duckdb {duckdb.__version__}: str(db.sql('from sudoku'))", str(db.sql("from sudoku")), REFUSED)
add("databases", "duckdb-fetchall", f"duckdb {duckdb.__version__}: one line of db.sql('from sudoku').fetchall()",
    str(db.sql("select puzzle, solution from sudoku limit 2").fetchall()), REFUSED)

SQLITE = version(["sqlite3", "--version"])
TABLE = "create table sudoku(id integer, puzzle text, solution text);\n" + "".join(
    f"insert into sudoku values({i}, '{p}', '{s}');\n" for i, (p, s) in zip(ids, pairs))


def sqlite(name, dots, reads, query="select * from sudoku;"):
    add("databases", f"sqlite-{name}", f"sqlite3 {SQLITE}: {' '.join(dots)} {query}",
        run("sqlite3", "-batch", stdin=TABLE + "\n".join(dots) + "\n" + query + "\n"), reads)


sqlite("list", [], BOTH)
sqlite("list-headers", [".headers on"], BOTH)
sqlite("csv", [".mode csv"], BOTH)
sqlite("csv-headers", [".mode csv", ".headers on"], BOTH)
sqlite("tabs", [".mode tabs"], BOTH)
sqlite("tabs-headers", [".mode tabs", ".headers on"], BOTH)
sqlite("quote", [".mode quote"], ODD)
sqlite("json", [".mode json"], BOTH)
sqlite("line", [".mode line"], below("bad"))
for mode in ["column", "table", "box", "markdown"]:
    sqlite(f"{mode}-wrapped", [f".mode {mode}"], "bad* or refused", "select * from sudoku where id < 3;")
    sqlite(mode, [f".mode {mode} --wrap 0"], NOISY + (" or refused" if mode == "box" else ""))
sqlite("html", [".mode html"], REFUSED)
sqlite("tcl", [".mode tcl"], BOTH)
sqlite("ascii", [".mode ascii"], "bad or refused")
sqlite("insert", [".mode insert sudoku"], ODD)
sqlite("dump", [".dump"], ODD, query="")
sqlite("puzzles", [], ONLY, "select puzzle from sudoku;")
sqlite("solutions-first", [".separator ,"], BOTH, "select solution, id, puzzle from sudoku;")


def sqlite_file(path):
    run("sqlite3", path, stdin="pragma page_size=512;" + TABLE)


add("databases", "sqlite-file", f"sqlite3 {SQLITE}: the database file", in_file(sqlite_file), REFUSED, packed=True)
add("databases", "mysql-batch", "rules: mysql --batch", "id\tpuzzle\tsolution\n" + "".join(
    f"{i}\t{p}\t{s}\n" for i, (p, s) in zip(ids, pairs)), BOTH)
add("databases", "mysql-table", "rules: mysql --table", "+----+" + "-" * 83 + "+" + "-" * 83 + "+\n"
    + f"| id | {'puzzle':81} | {'solution':81} |\n+----+" + "-" * 83 + "+" + "-" * 83 + "+\n"
    + "".join(f"| {i:2} | {p} | {s} |\n" for i, (p, s) in zip(ids, pairs)) + "+----+" + "-" * 83 + "+" + "-" * 83 + "+\n", NOISY)
add("databases", "mysql-dump", "rules: mysqldump, extended insert",
    "-- MySQL dump 10.13\nDROP TABLE IF EXISTS `sudoku`;\nINSERT INTO `sudoku` VALUES "
    + ",".join(f"({i},'{p}','{s}')" for i, (p, s) in zip(ids, pairs)) + ";\n", REFUSED)
add("databases", "mysql-outfile", "rules: select … into outfile, with \\N for null",
    "".join(f"{i}\t{p}\t{s if i > 2 else chr(92) + 'N'}\n" for i, (p, s) in zip(ids, pairs)),
    "P1=bad? P2=bad? P3=S3 P4=S4 P5=S5")
add("databases", "sql-multi-row", "rules: insert with a row a line",
    "INSERT INTO sudoku (id, puzzle, solution) VALUES\n"
    + ",\n".join(f"    ({i}, '{p}', '{s}')" for i, (p, s) in zip(ids, pairs)) + ";\n", ODD)

MLR = version(["mlr", "--version"])
table = full.to_csv(index=False)


def miller(name, words, reads, room="databases"):
    add(room, f"miller-{name}", f"miller {MLR}: mlr --icsv {words} cat of a table with 5 columns",
        run("mlr", "--icsv", "-S", *words.split(), "cat", stdin=table), reads)


miller("csv", "--ocsv", BOTH)
miller("csv-quoted", "--ocsv --quote-all", BOTH)
miller("csv-headless", "--ocsv --headerless-csv-output", BOTH)
miller("tsv", "--otsv", BOTH)
miller("pprint", "--opprint", BOTH)
miller("pprint-right", "--opprint --right", BOTH)
miller("pprint-barred", "--opprint --barred", NOISY)
miller("markdown", "--omd", BOTH)
miller("nidx", "--onidx", BOTH)
miller("dkvp", "--odkvp", ODD)
miller("xtab", "--oxtab", REFUSED)
miller("json", "--ojson", BOTH)
miller("json-lines", "--ojsonl", BOTH)



def csvkit(name, words, reads, stdin=table):
    tool = Path(sys.executable).with_name(words.split()[0])
    add("databases", f"csvkit-{name}", f"csvkit {version([tool, '--version'])}: {words}",
        run(tool, *words.split()[1:], stdin=stdin), reads)


csvkit("look", "csvlook --no-inference", BOTH)
csvkit("look-no-index", "csvlook --no-inference", BOTH, df.to_csv(index=False))
csvkit("json", "csvjson --no-inference", BOTH)
csvkit("json-stream", "csvjson --no-inference --stream", BOTH)
csvkit("json-indent", "csvjson --no-inference --indent 2", BOTH)
csvkit("format-semicolon", "csvformat -D ;", BOTH)
csvkit("format-quoted", "csvformat -U 1 -T", BOTH)
csvkit("format-colon", "csvformat -D : -Q %", ODD)
csvkit("cut", "csvcut -c solution,puzzle", BOTH)
csvkit("cut-numbered", "csvcut -l -c puzzle", ONLY)

R = version(["Rscript", "--version"])
FRAME = f"""d <- data.frame(puzzle = c({', '.join(map(repr, P))}), solution = c({', '.join(map(repr, S))}))
z <- d; z$puzzle <- gsub('.', '0', d$puzzle, fixed = TRUE); g <- d; g$solution[c(1, 3)] <- NA
"""
RG = "P1 P2=S2 P3 P4=S4 P5=S5"


def r(name, call, reads, room="databases", **more):
    text = run("Rscript", "-e", FRAME + call)
    add(room, f"r-{name}", f"R {R}: {call}", text, reads, **more)


r("csv", "write.csv(d)", BOTH)
r("csv-no-names", "write.csv(d, row.names = FALSE)", BOTH)
r("csv-no-quotes", "write.csv(z, quote = FALSE)", BOTH)
r("csv2", "write.csv2(d)", BOTH)
r("csv2-no-quotes", "write.csv2(z, quote = FALSE, row.names = FALSE)", BOTH)
r("csv-gaps", "write.csv(g)", "P1=bad? P2=S2 P3=bad? P4=S4 P5=S5")
r("csv-gaps-empty", "write.csv(g, na = '', row.names = FALSE)", RG)
r("csv-crlf", "write.csv(d, eol = '\\r\\n')", BOTH)
r("table", "write.table(d)", BOTH)
r("table-no-quotes", "write.table(z, quote = FALSE)", BOTH)
r("table-tab", "write.table(d, sep = '\\t', quote = FALSE, row.names = FALSE)", BOTH)
r("table-col-names-na", "write.table(d, sep = '\\t', col.names = NA)", BOTH)
r("table-bare", "write.table(d, sep = ' ', quote = FALSE, row.names = FALSE, col.names = FALSE)", BOTH)
r("table-gaps-bare", "write.table(g, sep = ',', na = '', col.names = FALSE)", RG)
r("table-semicolon-swapped", "write.table(d[2:1], sep = ';', row.names = FALSE)", BOTH)
r("lines", "writeLines(z$puzzle)", ONLY)
r("lines-pasted", "writeLines(paste(d$puzzle, d$solution, sep = '\\t'))", BOTH)
r("cat", "cat(d$puzzle, sep = ',\\n')", ONLY)
r("print", "options(width = 250); print(d)", "bad? " + BOTH)
r("print-vector", "print(d$puzzle)", ODD)
r("dput", "dput(d[1:2, ])", "bad* or refused")
r("as-numbers", "write.csv(transform(z, puzzle = as.numeric(puzzle), solution = as.numeric(solution)))", REFUSED)
r("split-cells", "write.table(t(sapply(strsplit(z$puzzle, ''), as.integer)), row.names = FALSE, col.names = FALSE)", ONLY)

QQWING = version(["qqwing", "--version"])


def qqwing(name, words, reads, count=3, **more):
    add("lists", f"qqwing-{name}", f"qqwing {QQWING}: qqwing --solve --puzzle {words}",
        run("qqwing", "--solve", "--puzzle", *words.split(), stdin="\n".join(P[:count]) + "\n"), reads, **more)


qqwing("csv", "--solution --csv", BOTH3)
# A harder puzzle needs guesses, and their number is not the same each time.
qqwing("csv-stats", "--solution --csv --stats", "P1=S1 P2=S2", count=2)
qqwing("csv-puzzles", "--nosolution --csv", ONLY3)
qqwing("one-line", "--nosolution --one-line", ONLY3)
qqwing("one-line-solutions-between", "--solution --one-line", "P1 S1 P2 S2 P3 S3")
qqwing("compact", "--nosolution --compact", REFUSED)
qqwing("compact-option", "--nosolution --compact", ONLY3, options="--grid")
qqwing("readable", "--nosolution --readable", REFUSED)
qqwing("readable-option", "--nosolution --readable", ONLY3, options="--grid")

# ---- Postgres: its files are in a folder of their own, and its server listens on that socket alone --------------

PG_BIN = next(Path("/usr/lib/postgresql").glob("*/bin"))


def postgres():
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "data"
        Path(folder).chmod(0o777)
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        run(*user, PG_BIN / "initdb", "-D", home, "-A", "trust", "--no-sync")
        run(*user, PG_BIN / "pg_ctl", "-D", home, "-w", "-l", Path(folder) / "log", "-o", f"-k {folder} -h ''", "start")
        name = version([PG_BIN / "psql", "--version"])

        def psql(name_of, words, query, reads):
            text = run(*user, PG_BIN / "psql", "-h", folder, "-q", *words, stdin=query)
            add("databases", f"postgres-{name_of}", f"psql {name}: {' '.join([*words, query])}", text, reads)
        try:
            psql_setup = TABLE + "create table gaps as select id, puzzle, case when id > 2 then solution end as solution from sudoku;"
            run(*user, PG_BIN / "psql", "-h", folder, "-q", stdin=psql_setup)
            psql("aligned", [], "table sudoku", NOISY)
            psql("unaligned", ["-A"], "table sudoku", NOISY)
            psql("unaligned-tuples", ["-A", "-t", "-F;"], "table gaps", FIRST_GAP)
            psql("csv", ["--csv"], "table gaps", FIRST_GAP)
            psql("copy", [], "copy sudoku to stdout", BOTH)
            psql("copy-gaps", [], "copy gaps to stdout", "P1=bad? P2=bad? P3=S3 P4=S4 P5=S5")
            psql("copy-csv", [], "copy sudoku to stdout csv header", BOTH)
            psql("copy-csv-quoted", [], "copy gaps to stdout csv force quote *", FIRST_GAP)
            psql("expanded", ["-x"], "table sudoku", below("bad bad").removeprefix("bad "))
            psql("html", ["-H"], "table sudoku", REFUSED)
            psql("json", ["-A", "-t"], "select json_agg(sudoku) from sudoku", BOTH)
            psql("row-json", ["-A", "-t"], "select row_to_json(gaps) from gaps", FIRST_GAP)
            for kind, reads in [("copy", NOISY), ("inserts", NOISY)]:
                words = ["--inserts"] if kind == "inserts" else []
                text = run(*user, PG_BIN / "pg_dump", "-h", folder, "-t", "sudoku", *words)
                add("databases", f"postgres-dump-{kind}", f"pg_dump {name}: pg_dump -t sudoku {' '.join(words)}".rstrip(),
                    re.sub(rb"(?m)^\\(un)?restrict .*\n", b"", text), reads + " or refused")
        finally:
            run(*user, PG_BIN / "pg_ctl", "-D", home, "-m", "immediate", "stop")


postgres()

# ---- Spreadsheets: by the documented rules of Excel, LibreOffice and Google Sheets -------------------

def rows(header, fields, delimiter, end="\r\n"):
    return end.join(delimiter.join(map(str, row)) for row in [header, *fields] if row) + end


def sheet(name, made_by, data, reads, **more):
    add("spreadsheets", f"{name}", f"rules: {made_by}", data, reads, **more)


numbered = [(i, p, s) for i, (p, s) in zip(ids, pairs)]
sheet("excel-en-csv", "Excel in English, CSV", rows(("No.", "Puzzle", "Solution"), numbered, ","), BOTH)
sheet("excel-en-csv-utf-8", "Excel in English, CSV UTF-8: with a byte-order mark",
      rows(("No.", "Puzzle", "Solution"), numbered, ",").encode("utf-8-sig"), BOTH)
sheet("excel-en-no-header", "Excel in English, CSV UTF-8, no header", rows((), pairs, ",").encode("utf-8-sig"), BOTH)
sheet("excel-de-csv", "Excel in German, CSV: `;` and Windows-1252", rows(("Nr.", "Rätsel", "Lösung"), numbered, ";").encode("cp1252"), BOTH)
sheet("excel-de-csv-utf-8", "Excel in German, CSV UTF-8", rows(("Nr.", "Rätsel", "Lösung"), numbered, ";").encode("utf-8-sig"), BOTH)
sheet("excel-de-swapped", "Excel in German, CSV UTF-8, solutions first",
      rows(("Lösung", "Rätsel"), zip(S, P), ";").encode("utf-8-sig"), BOTH)
sheet("excel-de-decimal-comma", "Excel in German: numbers with a decimal comma",
      rows(("Rätsel", "Schwierigkeit", "Lösung"), [(p, f"{i},5", s) for i, p, s in numbered], ";").encode("cp1252"), BOTH)
sheet("excel-fr-csv", "Excel in French, CSV: `;` and Windows-1252", rows(("N°", "Énigme", "Réponse"), numbered, ";").encode("cp1252"), BOTH)
sheet("excel-fr-csv-utf-8", "Excel in French, CSV UTF-8", rows(("N°", "Énigme", "Solution"), numbered, ";").encode("utf-8-sig"), BOTH)
sheet("excel-es-csv-utf-8", "Excel in Spanish, CSV UTF-8", rows(("Rompecabezas", "Solución"), pairs, ";").encode("utf-8-sig"), BOTH)
sheet("excel-ja-csv", "Excel in Japanese, CSV: Shift JIS", rows(("問題", "解答"), pairs, ",").encode("cp932"), BOTH)
sheet("excel-sep-line", "a first line sep=; for Excel, then a known header", "sep=;\r\n" + rows(("puzzle", "solution"), pairs, ";"), BOTH)
sheet("excel-sep-line-comma", "a first line sep=, then a header with names that are not known",
      "sep=,\n" + rows(("first", "second"), pairs, ",", "\n"), "bad? bad? " + BOTH)
sheet("excel-sep-line-no-header", "a first line sep=; then rows", "sep=;\r\n" + rows((), pairs, ";"), "bad? " + BOTH)
sheet("excel-sep-line-tab", "a first line sep=<tab>", "sep=\t\r\n" + rows(("puzzle", "solution"), pairs, "\t"), BOTH)
sheet("excel-sep-line-bom", "a byte-order mark and a first line sep=;",
      ("sep=;\r\n" + rows(("id", "puzzle", "solution"), numbered, ";")).encode("utf-8-sig"), BOTH)
sheet("excel-unicode-text", "Excel, Unicode text: UTF-16 with tabs", rows(("Puzzle", "Solution"), pairs[:2], "\t").encode("utf-16"), REFUSED)
sheet("excel-text-tabs", "Excel, Text (tab delimited)", rows(("Puzzle", "Solution"), pairs, "\t"), BOTH)
sheet("excel-macintosh", "Excel, CSV (Macintosh): lines that end with CR alone", rows(("Puzzle", "Solution"), pairs, ",", "\r"), BOTH + " or bad or refused")
sheet("excel-title-above", "a title and an empty row above the header",
      "Sudoku collection 2024,,\r\n,,\r\n" + rows(("id", "puzzle", "solution"), numbered, ","), "bad* " + BOTH)
sheet("excel-title-line", "a title line above a known header", "My best puzzles\n" + rows(("puzzle", "solution"), pairs, ",", "\n"), BOTH)
sheet("excel-empty-rows", "empty rows and columns of the used range",
      rows(("puzzle", "solution", "", ""), [(p, s, "", "") for p, s in pairs] + [("", "", "", "")] * 2, ","), BOTH + " bad*")
sheet("excel-empty-columns-before", "empty columns before the table", rows(("", "", "puzzle", "solution"), [("", "", p, s) for p, s in pairs], ";"), BOTH)
sheet("excel-footer", "a row with a sum below the table",
      rows(("puzzle", "solution", "clues"), [*((p, s, 25) for p, s in pairs), ("total", "", 129)], ","), BOTH + " bad")
sheet("excel-formula-text", "text kept as a formula, =\"…\"",
      rows(("puzzle", "solution"), [(f'"=""{z}"""', f'"=""{s}"""') for z, s in zip(Z, S)], ","), ODD)
sheet("excel-apostrophe", "text kept with an apostrophe in front",
      rows(("puzzle", "solution"), [(f"'{z}", f"'{s}") for z, s in zip(Z, S)], ","), ODD)
sheet("excel-numbers-en", "81 digits taken for a number, in English",
      rows(("puzzle", "solution"), [(f"{float(z):.4E}", f"{float(s):.4E}") for z, s in zip(Z, S)], ","), REFUSED)
sheet("excel-numbers-de", "81 digits taken for a number, in German",
      rows(("puzzle", "solution"), [(f"{float(z):.4E}".replace(".", ","), f"{float(s):.4E}".replace(".", ",")) for z, s in zip(Z, S)], ";"), REFUSED)
sheet("excel-numbers-some", "one cell of the puzzles taken for a number",
      rows(("id", "puzzle", "solution"), [(i, f"{float(Z[i - 1]):.4E}" if i == 3 else Z[i - 1], s) for i, p, s in numbered], ","),
      "P1=S1 P2=S2 bad P4=S4 P5=S5")
sheet("excel-solutions-numbers", "solutions taken for numbers",
      rows(("puzzle", "solution"), [(p, f"{float(s):.4E}") for p, s in pairs], ","), reading("P#=bad"))
sheet("excel-cells-apart", "a cell for each of the 81 cells", rows((), [tuple(z) for z in Z], ","), ODD)
sheet("excel-cells-apart-blank", "a cell for each of the 81 cells, empty if blank", rows((), [tuple(p.replace(".", " ")) for p in P], ";").replace(" ", ""), ODD)
sheet("excel-xlsx-sheet", "openpyxl " + openpyxl.__version__, workbook(df[:2]), REFUSED, packed=True)
sheet("libreoffice-quoted", "LibreOffice, all text cells in quotes",
      rows(('"puzzle"', '"solution"', '"clues"'), [(f'"{p}"', f'"{s}"', 25) for p, s in pairs], ",", "\n"), BOTH)
sheet("libreoffice-fixed-width", "LibreOffice, fixed width",
      "".join(f"{i:<5}{p:<85}{s}\n" for i, p, s in numbered), BOTH)
sheet("google-sheets-csv", "Google Sheets, no line end at the end", rows(("Puzzle", "Solution"), pairs, ",").rstrip("\r\n"), BOTH)
sheet("google-sheets-tsv", "Google Sheets, with line ends within a field",
      rows(("Note", "Puzzle", "Solution"), [("two  lines", *pair) for pair in pairs], "\t").rstrip("\r\n"), BOTH)
sheet("quoted-line-ends", "a quoted note of two lines: a record is a line, so both are malformed",
      rows(("puzzle", "solution", "note"), [(p, s, '"hard"') for p, s in pairs], ",", "\n").replace('"hard"', '"hard\nindeed"', 1),
      "bad bad P2=S2 P3=S3 P4=S4 P5=S5")
sheet("quoted-delimiters", "a quoted note with delimiters and quotation marks",
      rows(("note", "puzzle", "solution"), [(f'"{i}, ""{p}"", x"', p, s) for i, p, s in numbered], ","), BOTH)

# ---- Lists: what forums, data sets and other programs have ----------------------------------------

def text(name, made_by, data, reads, room="lists", **more):
    add(room, name, f"rules: {made_by}", data, reads, **more)


def each(form, end="\n"):
    """A line for each puzzle, with {p} {z} {s} {i} in it."""
    return "".join(form.format(p=P[i - 1], z=Z[i - 1], s=S[i - 1], i=i) + end for i in ids)


for path in sorted(DATA.iterdir()):
    if path.name in ("kaggle_training_solutions.txt", "solutions.txt"):
        reads = FULL
    elif path.name == "plain_grids.txt":
        reads = REFUSED
    elif path.name == "sukaku.txt":
        reads = None
    else:
        reads = ONLY if not any(s in path.read_text() for s in S) else BOTH
    if reads:
        grids = {"as": path.name} if path.suffix in (".sdk", ".ss") else {}
        add("lists", "data-" + path.name.replace("_", "-").replace(".", "-"),
            f"rules: shared/DATASETS.md and tests/data/layouts/{path.name}", path.read_bytes(), reads, **grids)

text("grids-option", "nine lines a puzzle, with --grid", (DATA / "plain_grids.txt").read_bytes(), ONLY, options="--grid")
text("kaggle-1m-with-index", "Kaggle 1M saved again with an index", "," + each("{i},{z},{s}").join(["quizzes,solutions\n", ""]), BOTH)
text("kaggle-9m-bom-crlf", "Kaggle 9M saved by an editor on Windows", ("puzzle,solution\n" + each("{z},{s}")).replace("\n", "\r\n").encode("utf-8-sig"), BOTH)
text("kaggle-3m-solution-first", "Kaggle 3M with columns in another order",
     "id,difficulty,solution,puzzle,clues\n" + each("{i},2.2,{s},{p},24"), BOTH)
text("kaggle-two-files-in-one", "two files joined by cat: the header comes again",
     "quizzes,solutions\n" + each("{z},{s}") + "quizzes,solutions\n" + each("{z},{s}"), f"{BOTH} {BOTH}")
text("kaggle-submission", "id and solution", "Id,Predicted\n" + each("{i},{s}"), FULL)
text("sapientinc-test", "sapientinc/sudoku-extreme", "source,question,answer,rating\n" + each("puzzles4_forum_hardest_1905,{p},{s},{i}"), BOTH)
text("sudoku-exchange-no-rating", "hash and puzzle", each("0000183b305{i} {z}"), ONLY)
text("crlf-and-lf", "the 17-clue list that mixes line ends", each("{p}").replace("\n", "\r\n", 2), ONLY)
text("no-last-end", "a last line without an end", each("{p}").rstrip("\n"), ONLY)
text("empty-lines", "empty lines between", each("{p}\n"), ONLY)
text("spaces-around", "spaces before and behind", each("  {p}\t"), ONLY)
text("one-puzzle", "one puzzle and nothing else", P[0], "P1")
text("one-pair", "one puzzle and its solution", f"{P[0]},{S[0]}\n", "P1=S1")
text("one-solution", "one full grid", S[0] + "\n", "S1")
text("no-bytes", "an empty file", "", "empty or refused")
text("only-comments", "comments and nothing else", "# nothing yet\n#\n", "empty or refused")
text("only-a-header", "a header and nothing else", "puzzle,solution\n", "empty or refused")
text("count-first", "the first line is the count", "5\n" + each("{z}"), ONLY)
text("comments-everywhere", "comments in a plain list", "# a\n" + each("# {i}\n{p}"), ONLY)
text("comments-above-table", "comments above a header", "# made by hand\n# twice\nid,puzzle,solution\n" + each("{i},{p},{s}"), BOTH)
text("hash-ids", "a table whose ids begin with #", "id,puzzle,solution\n" + each("#{i},{p},{s}"), BOTH)
text("hash-ids-no-header", "a table without a header, whose ids begin with #", each("#{i},{p},{s}"), BOTH)
text("hash-ids-some", "a table in which some ids begin with #", "id,puzzle,solution\n" + each("#{i},{p},{s}").replace("#2", "2").replace("#4", "4"), BOTH)
text("hash-ids-spaces", "numbers with # before the puzzle", each("#{i} {p}"), ONLY + " or refused")
text("hash-column-name", "a header that begins with #", "#,puzzle,solution\n" + each("{i},{p},{s}"), BOTH)
text("hash-header", "numpy's header: a comment above the rows", "# puzzle,solution\n" + each("{p},{s}"), BOTH)
text("comment-behind", "a comment behind each puzzle", each("{p} # number {i}"), ONLY)
text("numbered-dot", "1. puzzle", each("{i}. {p}"), ONLY)
text("numbered-bracket", "1) puzzle", each("{i}) {p}"), ONLY)
text("numbered-colon", "1: puzzle", each("{i}: {p}"), ONLY)
text("numbered-colon-tight", "1:puzzle", each("{i}:{p}"), ODD)
text("named-colon", "Puzzle 1: puzzle", each("Puzzle {i}: {p}"), ONLY)
text("bullets-minus", "- puzzle", each("- {p}"), ONLY)
text("bullets-star", "* puzzle", each("* {p}"), ONLY)
text("mail-quote", "> puzzle", each("> {p}"), ONLY)
text("title-lines", "a title above the list", "The hardest puzzles\n===================\n\n" + each("{p}"), "bad* " + ONLY)
text("bbcode", "a forum post with [code]", "[code]\n" + each("{p}") + "[/code]\n", "bad* " + ONLY + " bad*")
text("forum-post", "a post with text around the puzzles",
     "Hello all,\n\nhere are five, rated with SE 4.2:\n\n" + each("{p} SE={i}.0") + "\nregards\n", "bad* " + ONLY + " bad*")
text("forum-solution-behind", "puzzle, then its solution behind an arrow", each("{p} => {s}"), BOTH)
text("forum-rating-first", "rating, puzzle, name", each("11.{i} {p} golden nugget"), ONLY)
text("forum-semicolons", "puzzle;ER;EP;ED;name", each("{p};11.{i};1.2;1.2;ph-{i};mith"), ONLY)
text("forum-tabs", "puzzle, rating and name behind tabs", each("{p}\t11.{i}\tname of it"), ONLY)
text("forum-solutions-semicolons", "name;puzzle;solution", each("easy {i};{p};{s}"), BOTH)
text("gsf-options", "gsf's sudoku: options, then puzzle,name", "#!sudoku -q1 -f%v\n" + each("{z},C{i}.m/M2.3.4"), ONLY)
text("tdoku-output", "puzzle:solutions:solution", each("{p}:1:{s}"), ODD)
text("ninefold-cases", "tests/data/cases.txt: puzzle:count:solution # name", "# cases\n" + each("{p}:1:{s} # {i}"), ODD)
text("jczsolve", "puzzle, solution and a count behind commas", each("{p},{s},1"), BOTH)
text("pipe-table", "puzzle | solution", each("{p} | {s}"), BOTH)
text("double-colon", "puzzle :: rating", each("{p} :: {i}.5"), ONLY)
text("three-grids", "puzzle, solution, and the puzzle half solved", "puzzle,solution,state\n" + "".join(f"{P[i]},{S[i]},{S[i][:40] + P[i][40:]}\n" for i in range(5)), BOTH)
text("two-full-columns", "puzzle and two full grids, of which one is named", "puzzle,shuffled,solution\n" + "".join(f"{P[i]},{S[i - 1]},{S[i]}\n" for i in range(5)), BOTH)
text("two-full-columns-unnamed", "puzzle and two full grids with names that say nothing", "puzzle,a,b\n" + "".join(f"{P[i]},{S[i]},{S[i - 1]}\n" for i in range(5)), ONLY + " or refused")
text("two-puzzle-columns", "two columns of puzzles with names that say nothing", "a,b\n" + "".join(f"{P[i]},{P[i - 1]}\n" for i in range(5)), REFUSED)
text("empty-grid-and-solution", "the empty grid and a full grid", "solution,givens\n" + each("{s}," + "." * 81), reading("E=S#"))
text("empty-grid-behind", "a full grid, then the empty grid, without a header", each("{s}," + "0" * 81), reading("E=S#"))
text("some-solved", "a list in which some puzzles are full grids", f"{P[0]}\n{S[1]}\n{P[2]}\n{S[3]}\n", "P1 S2 P3 S4")
text("some-solved-table", "a column of puzzles, of which some are full grids", f"puzzle,solution\n{P[0]},{S[0]}\n{S[1]},{S[1]}\n{P[2]},{S[2]}\n{P[3]},{S[3]}\n", "P1=S1 S2=S2 P3=S3 P4=S4")
text("rows-disagree", "two rows with the solution second, two with it first", f"{P[0]},{S[0]}\n{S[1]},{P[1]}\n{P[2]},{S[2]}\n{S[3]},{P[3]}\n", REFUSED)
text("rows-disagree-named", "the same below a header with names", f"a,b\n{P[0]},{S[0]}\n{S[1]},{P[1]}\n{P[2]},{S[2]}\n{S[3]},{P[3]}\n", REFUSED)
text("one-row-swapped", "one row of five has the solution first: it is no answer, and no puzzle",
     f"puzzle,solution\n{P[0]},{S[0]}\n{P[1]},{S[1]}\n{S[2]},{P[2]}\n{P[3]},{S[3]}\n{P[4]},{S[4]}\n", "P1=S1 P2=S2 bad P4=S4 P5=S5")
text("first-row-damaged", "the first row has 80 cells", f"{P[0][1:]},{S[0]}\n" + "".join(f"{p},{s}\n" for p, s in pairs[1:]), "bad P2=S2 P3=S3 P4=S4 P5=S5")
text("first-answer-damaged", "the first answer has 80 cells", f"{P[0]},{S[0][1:]}\n" + "".join(f"{p},{s}\n" for p, s in pairs[1:]), "P1=bad P2=S2 P3=S3 P4=S4 P5=S5")
text("first-row-missing", "the first row has neither", "id,puzzle,solution\n1,,\n" + "".join(f"{i},{p},{s}\n" for i, p, s in numbered[1:]), "bad P2=S2 P3=S3 P4=S4 P5=S5")
text("answers-only-in-one-row", "one row of five has an answer", "puzzle,result\n" + "".join(f"{p},{s if i == 4 else ''}\n" for i, p, s in numbered), "P1 P2 P3 P4=S4 P5")
text("answers-short-rows", "rows without an answer are shorter", "".join(f"{i},{p}" + (f",{s}" if i > 1 else "") + "\n" for i, p, s in numbered), "P1 P2=S2 P3=S3 P4=S4 P5=S5")
text("count-then-answer", "a count in the first row, answers below", f"puzzle,solutions\n{P[0]},1\n{P[1]},{S[1]}\n{P[2]},{S[2]}\n", "P1=bad? P2=S2 P3=S3 or refused")
text("blank-x", "x for a blank, which an option says", each("{p}").replace(".", "x"), ONLY, options="--blank x")
text("blank-x-alone", "x for a blank, without the option", each("{p}").replace(".", "x"), "bad bad bad bad bad" + " or refused")
text("blank-space", "spaces for blanks: not 81 characters without them", each("{p}").replace(".", " "), "bad bad bad bad bad" + " or refused")
text("blanks-mixed", "each line has its own blank", "".join(P[i].replace(".", ".0_*-"[i]) + "\n" for i in range(5)), ONLY)
text("cells-spaced", "digits separated by spaces", "".join(" ".join(z) + "\n" for z in Z), ONLY)
text("cells-spaced-dots", "cells separated by spaces, with dots", "".join(" ".join(p) + "\n" for p in P), ONLY)
text("cells-spaced-solutions", "full grids separated by spaces", "".join(" ".join(s) + "\n" for s in S), FULL)
text("cells-tabs", "cells separated by tabs", "".join("\t".join(z) + "\n" for z in Z), ODD)
text("joined-162", "puzzle and solution without a separator", each("{p}{s}"), REFUSED)
text("joined-162-in-table", "puzzle and solution joined in a field", each("{i},{p}{s},easy"), ODD)
text("joined-243", "three grids joined: which is which?", each("{p}{s}{p}"), "bad bad bad bad bad" + " or refused")
text("hodoku-library", "HoDoKu: :technique:candidates:grid:deleted:eliminations:extra:", each(":0000:x:{p}:::"), ONLY)
text("hodoku-library-long", "HoDoKu: with deleted candidates and eliminations", each(":0100:{i}:{p}:714 715:724 757::"), REFUSED)
text("hodoku-library-zeros", "HoDoKu: with zeros", each(":0200:x:{z}::{i}12::"), ONLY)
text("hodoku-library-numbers", "HoDoKu: techniques that look like other things", each(":0{i}00:123456789:{p}:::"), ONLY)
text("hodoku-batch", "HoDoKu, batch solver: puzzle # rating", each("{p} # Hard ({i}00)"), ONLY)
text("sukaku", "pencilmarks, 729 characters", (DATA / "sukaku.txt").read_bytes(), "any any any any any")
text("sukaku-dots", "pencilmarks of the grids", "".join(k + "\n" for k in K), reading("K#"))
text("sukaku-named", "pencilmarks and names", "".join(f"{k};{i}\n" for i, k in zip(ids, K)), reading("K#"))
boxed = lambda p: "".join(
    ("+----------------+----------------+----------------+\n" if r % 3 == 0 else "")
    + "".join(("| " if c % 3 == 0 else " ") + f"{(p[r * 9 + c] if p[r * 9 + c] != '.' else '2458'):<4}" for c in range(9)) + " |\n"
    for r in range(9)) + "+----------------+----------------+----------------+\n"
text("forum-pencilmarks", "a pencilmark grid as forums draw it", "\n".join(boxed(p) for p in P[:2]), REFUSED)
text("forum-pencilmarks-corners", "the same with . and ' for corners",
     "\n".join(boxed(p) for p in P[:2]).replace("+", ".", 4).replace("|", ":", 3), REFUSED)
framed = lambda p: "".join(("+-------+-------+-------+\n" if r % 3 == 0 else "")
                           + "".join(("| " if c % 3 == 0 else "") + p[r * 9 + c] + " " for c in range(9)) + "|\n" for r in range(9)) \
    + "+-------+-------+-------+\n"
text("forum-frames", "framed grids in a text", "\n".join(map(framed, P[:3])), REFUSED + " or " + ONLY3)
text("forum-frames-option", "framed grids, with --grid", "\n".join(map(framed, P[:3])), ONLY3, options="--grid")
text("sdk-one", "SadMan Software, .sdk: one puzzle", "[Puzzle]\r\n" + "".join(P[0][i:i + 9] + "\r\n" for i in range(0, 81, 9)), "P1", **{"as": "one.sdk"})
text("sdk-bare", ".sdk: nine lines and nothing else", "".join(P[1][i:i + 9] + "\n" for i in range(0, 81, 9)), "P2", **{"as": "bare.sdk"})
text("sdk-state", ".sdk: the puzzle, and how far it was solved",
     "#ATom\n#DHard\n[Puzzle]\n" + "".join(P[2][i:i + 9] + "\n" for i in range(0, 81, 9)) + "[State]\n"
     + "".join((S[2][:30] + P[2][30:])[i:i + 9] + "\n" for i in range(0, 81, 9)), "P3", **{"as": "state.sdk"})
text("sdm-comments", ".sdm: with comments and zeros", "#puzzles\n" + each("{z}", "\r\n"), ONLY, **{"as": "list.sdm"})
text("msk", ".msk: nine lines with * for a blank, in a file that is not called .sdk",
     "".join(P[0][i:i + 9].replace(".", "*") + "\n" for i in range(0, 81, 9)), REFUSED + " or P1")
text("opensudoku", "OpenSudoku, .opensudoku: XML", '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="2">\n<name>Easy</name>\n'
     + each('<game data="{z}" />') + "</opensudoku>\n", ODD)
text("urls", "links to SudokuWiki", each("https://www.sudokuwiki.org/sudoku.htm?bd={z}"), ODD)
text("log-lines", "lines of a log", each("2024-05-0{i} 12:00:00 INFO solving puzzle={p} took 3 ms"), ODD)
text("quoted-lines", "puzzles in quotation marks", each('"{p}"'), ONLY)
text("apostrophe-lines", "puzzles in apostrophes, with commas", each("'{p}',"), ODD)
text("python-list", "a list in a Python file", "puzzles = [\n" + each("    '{p}',") + "]\n", ODD)
text("c-array", "an array in a C file", "const char *puzzles[] = {{\n".replace("{{", "{") + each('    "{p}",') + "};\n", ODD)
text("yaml", "YAML: a list of strings", each('- "{p}"'), ODD)
text("yaml-objects", "YAML: a list of objects", each("- id: {i}\n  puzzle: \"{p}\"\n  solution: \"{s}\""), below("bad"))
text("toml", "TOML: an array of tables", each("[[puzzles]]\npuzzle = \"{p}\"\nsolution = \"{s}\"\n"), REFUSED)
text("ini", "INI", each("[{i}]\npuzzle={p}\nsolution={s}"), REFUSED)
text("html-table", "an HTML table, a row a line", "<table>\n" + each("<tr><td>{i}</td><td>{p}</td><td>{s}</td></tr>") + "</table>\n", ODD)
text("markdown-code", "Markdown: a code block in a text", "# Puzzles\n\nThese are easy:\n\n```\n" + each("{p}") + "```\n", "bad* " + ONLY + " bad*")
text("markdown-table-cells", "Markdown: a table with code cells", "| # | puzzle | solution |\n|---|:---:|---:|\n" + each("| {i} | `{p}` | `{s}` |"), ODD)
text("markdown-table-narrow", "Markdown: a table without outer bars", "id | puzzle | solution\n--- | --- | ---\n" + each("{i} | {p} | {s}"), BOTH)
text("markdown-table-swapped", "Markdown: solutions first", "| Solution | Puzzle |\n|:---|---:|\n" + each("| {s} | {p} |"), BOTH)
text("latex-rows", "LaTeX: rows of a table", each("{i} & {p} & {s} \\\\\\\\").replace("\\\\\\\\", "\\\\"), ODD)
text("latex-tabular", "LaTeX: a table with \\hline", "\\begin{tabular}{rll}\n\\hline\nid & puzzle & solution \\\\\n\\hline\n" + each("{i} & {p} & {s} \\\\") + "\\hline\n\\end{tabular}\n",
     ODD)
text("latex-sudoku", "LaTeX: the package sudoku", "\\begin{sudoku}\n" + "".join("|" + "|".join(P[0][i:i + 9].replace(".", " ")) + "|.\n" for i in range(0, 81, 9)) + "\\end{sudoku}\n",
     REFUSED)
text("git-diff", "a diff of two lists", "--- a/list.txt\n+++ b/list.txt\n@@ -1,2 +1,3 @@\n" + f" {P[0]}\n-{P[1]}\n+{P[2]}\n {P[3]}\n",
     "bad* P1 bad bad P4 or refused")
text("grep-n", "output of grep -n", each("{i}:{p}"), ODD)
text("grep-files", "output of grep over files", each("lists/easy{i}.txt:{p},{s}"), ODD)
text("diff-columns", "two lists side by side, by paste", "".join(f"{p}\t{q}\n" for p, q in zip(P, P[1:] + P[:1])), REFUSED)
text("prose", "a text without a puzzle", "Sudoku is a puzzle.\nIt has 81 cells.\n", REFUSED)
text("numbers", "lines of numbers", "1\n22\n333\n" * 5, REFUSED)
text("zip", "the first bytes of a zip archive", b"PK\x03\x04\x14\x00\x08\x08" + bytes(40), REFUSED)
text("tar", "a tar archive with a list", b"list.txt" + bytes(92) + b"0000644\0000000000\0000000000\0" + b"00000000632\x0014000000000\0" + b"012345\0 0" + bytes(100) + b"ustar\x0000" + bytes(247) + each("{p}").encode() + bytes(614), REFUSED, packed=True)
text("nul-bytes", "a file of NUL bytes", bytes(4096), REFUSED, packed=True)

NINEFOLD = next((Path(p) for p in [os.environ.get("NINEFOLD", ""), HERE.parents[1] / "target/debug/ninefold"] if p and Path(p).exists()), None)


def ninefold(name, words, stdin, reads):
    done = subprocess.run([NINEFOLD, *words.split()], input=stdin.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    add("lists", f"ninefold-{name}", f"ninefold: {words}", done.stdout, reads)


NONE = "12345678.........9..............................................................."
mixed = "".join(f"{line}\n" for line in [NONE, P[0], P[1][1:], P[2]])
ninefold("line", "solve", each("{p}"), FULL)
ninefold("pair", "solve --format pair", each("{p}"), BOTH)
ninefold("pair-gaps", "solve --format pair", mixed, "P1=S1 P3=S3")
ninefold("csv", "solve --unique --format csv", each("{p}"), BOTH)
ninefold("csv-gaps", "solve --format csv", mixed, "F P1=S1 bad P3=S3")
ninefold("csv-gaps-no-header", "solve --unique --format csv --no-header", mixed, "F P1=S1 bad P3=S3")
ninefold("jsonl", "solve --format jsonl", each("{p}"), BOTH)
ninefold("jsonl-gaps", "solve --format jsonl", mixed, "F P1=S1 bad P3=S3")
ninefold("verify-csv", "verify --format csv", each("{p},{s}"), ONLY)
ninefold("verify-jsonl", "verify --format jsonl", each("{p},{s}"), ONLY)

write()
