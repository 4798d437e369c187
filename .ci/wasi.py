"""Runs a program of the target wasm32-wasip1: python wasi.py PROGRAM.wasm ARGUMENTS..."""
import sys

import wasmtime

engine = wasmtime.Engine()
linker = wasmtime.Linker(engine)
linker.define_wasi()
store = wasmtime.Store(engine)
config = wasmtime.WasiConfig()
config.argv = sys.argv[1:]
config.inherit_stdout()
config.inherit_stderr()
store.set_wasi(config)
program = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
try:
    program.exports(store)["_start"](store)
except wasmtime.ExitTrap as exit:
    sys.exit(exit.code)
