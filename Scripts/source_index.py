"""The compiler's index of the modules of this package: which declaration stands where, and who names it.

`load()` has the compiler write the index of each module whose sources, or the modules below it, are newer than its
index, by a type check of the whole module. The check build (Scripts/check-build.sh) must have built the modules: its
command lines are used. libIndexStore of the toolchain reads the index.
"""
import concurrent.futures
import ctypes
import functools
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, ".build", "check")
INDEX = os.path.join(ROOT, ".build", "index")

# Roles of an occurrence, and of its relations: indexstore.h.
DECLARATION, DEFINITION, REFERENCE, READ, WRITE, CALL = 1, 2, 4, 8, 16, 32
IMPLICIT = 1 << 8
CHILD, BASE, OVERRIDE, EXTENDED, ACCESSOR, CONTAINED = 1 << 9, 1 << 10, 1 << 11, 1 << 14, 1 << 15, 1 << 16
# Kinds and a kind of kind that have a meaning here.
MODULE, PARAMETER = 1, 25
KINDS = {4: "macro", 5: "enum", 6: "struct", 7: "class", 8: "protocol", 9: "extension", 11: "typealias", 12: "func",
         13: "var", 15: "case", 16: "func", 17: "func", 18: "func", 19: "var", 20: "var", 21: "var", 22: "init",
         23: "deinit"}
LOCAL = 1 << 7

Symbol = namedtuple("Symbol", "usr name kind subkind properties")
# `related` has pairs of roles and of the symbol.
Occurrence = namedtuple("Occurrence", "symbol file line column roles related")


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


Applier = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


def library():
    information = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
    folder = os.path.dirname(information["paths"]["runtimeResourcePath"])
    lib = ctypes.CDLL(os.path.join(folder, "libIndexStore.so"))
    pointer, number = ctypes.c_void_p, ctypes.c_uint64
    for name, result, arguments in (
            ("store_create", pointer, [ctypes.c_char_p, pointer]), ("store_dispose", None, [pointer]),
            ("record_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
            ("record_reader_dispose", None, [pointer]),
            ("record_reader_occurrences_apply_f", ctypes.c_bool, [pointer, pointer, Applier]),
            ("occurrence_get_symbol", pointer, [pointer]), ("occurrence_get_roles", number, [pointer]),
            ("occurrence_relations_apply_f", ctypes.c_bool, [pointer, pointer, Applier]),
            ("occurrence_get_line_col", None, [pointer] + [ctypes.POINTER(ctypes.c_uint)] * 2),
            ("symbol_relation_get_roles", number, [pointer]), ("symbol_relation_get_symbol", pointer, [pointer]),
            ("symbol_get_usr", Text, [pointer]), ("symbol_get_name", Text, [pointer]),
            ("symbol_get_kind", ctypes.c_int, [pointer]), ("symbol_get_subkind", ctypes.c_int, [pointer]),
            ("symbol_get_properties", number, [pointer])):
        function = getattr(lib, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


def read_store(lib, store_path, files):
    """The occurrences in an index. `files` has the path of each source by its name, which is unique in a module."""
    store = lib.indexstore_store_create(store_path.encode(), None)
    if not store:
        sys.exit(f"libIndexStore can't read {store_path}: remove it, and run the command again.")
    symbols, occurrences, reader_symbols = {}, [], {}
    line, column = ctypes.c_uint(), ctypes.c_uint()
    line_reference, column_reference = ctypes.byref(line), ctypes.byref(column)
    related, file = [], ""

    def symbol_at(address):
        # Addresses are those of the symbols of one record.
        symbol = reader_symbols.get(address)
        if symbol is None:
            usr = str(lib.indexstore_symbol_get_usr(address))
            symbol = symbols.get(usr)
            if symbol is None:
                symbol = symbols[usr] = Symbol(
                    usr, str(lib.indexstore_symbol_get_name(address)), lib.indexstore_symbol_get_kind(address),
                    lib.indexstore_symbol_get_subkind(address), lib.indexstore_symbol_get_properties(address))
            reader_symbols[address] = symbol
        return symbol

    @Applier
    def relate(_, relation):
        related.append((lib.indexstore_symbol_relation_get_roles(relation),
                        symbol_at(lib.indexstore_symbol_relation_get_symbol(relation))))
        return True

    @Applier
    def occur(_, occurrence):
        related.clear()
        symbol = symbol_at(lib.indexstore_occurrence_get_symbol(occurrence))
        lib.indexstore_occurrence_get_line_col(occurrence, line_reference, column_reference)
        lib.indexstore_occurrence_relations_apply_f(occurrence, None, relate)
        occurrences.append(Occurrence(symbol, file, line.value, column.value,
                                      lib.indexstore_occurrence_get_roles(occurrence), tuple(related)))
        return True

    for record in sorted(glob.glob(os.path.join(store_path, "v5", "records", "*", "*"))):
        name = os.path.basename(record)
        file = files.get(name[:name.rindex("-")])
        if file is None:
            # A header of C.
            continue
        reader = lib.indexstore_record_reader_create(store, name.encode(), None)
        reader_symbols.clear()
        lib.indexstore_record_reader_occurrences_apply_f(reader, None, occur)
        lib.indexstore_record_reader_dispose(reader)
    lib.indexstore_store_dispose(store)
    return occurrences


@functools.cache
def commands():
    """The sources, the imported modules and the compiler's command line of each module of the last check build, by the module."""
    manifest = os.path.join(BUILD, "debug.yaml")
    if not os.path.exists(manifest):
        sys.exit("The check build is missing, whose modules the index needs: run `make test` first.")
    found = {}
    with open(manifest, encoding="utf-8") as handle:
        # Plugins of the compiler have only a command for the machine that builds, `debug-tool`; others have both.
        for match in re.finditer(r'^  "C\.[^"]*-debug(-tool)?\.module":\n    tool: shell\n    inputs: (\[.*\])\n'
                                 r"(?:    .*\n)*?    args: (\[.*\])$", handle.read(), re.M):
            inputs, arguments = (json.loads(part) for part in match.groups()[1:])
            module = arguments[arguments.index("-module-name") + 1]
            if match.group(1) and module in found:
                continue
            files = [file for file in inputs if file.endswith(".swift")]
            modules = [file for file in inputs if file.endswith(".swiftmodule")]
            if not any(file.startswith(os.path.join(ROOT, ".build")) or not file.startswith(ROOT) for file in files):
                found[module] = files, modules, arguments
    return found


def sources(module):
    """The paths of a module's sources within the package."""
    return [os.path.relpath(file, ROOT) for file in commands()[module][0]]


# Options that write files or choose how the build is split, and whether a value follows.
DROPPED = {"-emit-dependencies": 0, "-emit-module": 0, "-emit-module-path": 1, "-output-file-map": 1, "-incremental": 0,
           "-c": 0, "-enable-batch-mode": 0, "-serialize-diagnostics": 0, "-parseable-output": 0,
           "-emit-objc-header": 0, "-emit-objc-header-path": 1, "-whole-module-optimization": 0, "-num-threads": 1,
           "-no-emit-module-separately-wmo": 0, "-o": 1}


def index_module(module, files, modules, arguments):
    """Writes the index of a module, unless it is newer than all that the module is made of. Returns the index, the sources
    and the errors."""
    store = os.path.join(INDEX, module)
    stamp = os.path.join(store, "stamp")
    key = "\n".join([*files, *arguments])
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as handle:
            same = handle.read() == key
        newest = max(os.path.getmtime(path) if os.path.exists(path) else math.inf for path in files + modules)
        if same and os.path.getmtime(stamp) > newest:
            return store, files, ""
    shutil.rmtree(store, ignore_errors=True)
    os.makedirs(store)
    command, skipped = [arguments[0], "-typecheck"], 0
    for argument in arguments[1:]:
        if skipped:
            skipped -= 1
        elif argument.startswith("@"):
            command += files
        elif argument in DROPPED or re.fullmatch(r"-j\d+", argument):
            skipped = DROPPED.get(argument, 0)
        else:
            command.append(argument)
    command += ["-whole-module-optimization", "-index-store-path", store, "-index-ignore-system-modules",
                "-suppress-warnings"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        shutil.rmtree(store)
        return store, files, run.stdout
    with open(stamp, "w", encoding="utf-8") as handle:
        handle.write(key)
    return store, files, ""


def load(wanted):
    """The occurrences of each module that is built and that `wanted` chooses by its sources, by the module."""
    os.makedirs(INDEX, exist_ok=True)
    chosen = {module: command for module, command in commands().items() if wanted(module, command[0])}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda entry: (entry[0], *index_module(entry[0], *entry[1])), chosen.items()))
    failures = [output for _, _, _, output in made if output]
    if failures:
        sys.exit("\n".join(failures) + "\nThe compiler can't index these sources. Run `make test` first.")
    lib = library()
    return {module: read_store(lib, store, {os.path.basename(file): os.path.relpath(file, ROOT) for file in files})
            for module, store, files, _ in made}
