// Runs a program of the target wasm32-wasip1: node wasi.mjs PROGRAM.wasm ARGUMENTS...
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
// The process ends where the program does: node 20 may crash when it returns from a large one.
const wasi = new WASI({ version: "preview1", args: [program, ...args], returnOnExit: false });
const module = await WebAssembly.compile(await readFile(program));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
