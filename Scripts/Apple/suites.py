"""The sources that run against Apple's framework: shared by check-sources.py and run-tests.py."""
import os

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
TESTS = os.path.join(ROOT, "Tests")
SUPPORT = ("TestSupport", "TestExpectations", "OwnStores", "CoreDataTestSupport")
# Targets whose folders are not in Tests.
FOLDERS = {"OwnStores": os.path.join(ROOT, "Examples", "OwnStores", "Sources", "OwnStores")}
SUITES = ("CoreDataTests", "CoreDataExhaustiveTests", "CoreDataContextTests", "CoreDataFetchTests")


def rows(name, folder=FOLDER):
    """The rows of a table beside the manifest: a name, a tab, a reason. Lines that begin with # are comments."""
    with open(os.path.join(folder, name), encoding="utf-8") as handle:
        lines = [line.rstrip("\n") for line in handle if line.strip() and not line.startswith("#")]
    return [tuple(line.partition("\t")[::2]) for line in lines]


def swift_files(folder):
    found = []
    for path, _, names in os.walk(folder):
        found += [os.path.join(path, name) for name in names if name.endswith(".swift")]
    return sorted(found)


def is_left_out(path, left_out):
    """Whether a path below Tests is a left-out file, or in a left-out folder."""
    return any(path == entry or path.startswith(entry + "/") for entry, _ in left_out)


class Sources:
    """The files of a target by their paths below its folder, and the files that are left out."""

    def __init__(self, target, left_out):
        self.target = target
        self.files, self.left_out = {}, []
        root = FOLDERS.get(target, os.path.join(TESTS, target))
        for path in swift_files(root):
            if is_left_out(os.path.relpath(path, TESTS), left_out):
                self.left_out.append(path)
            else:
                self.files[os.path.relpath(path, root)] = path
        # What stands in for a left-out file that other files need.
        folder = os.path.join(FOLDER, "StandIns", target)
        for path in swift_files(folder):
            self.files[os.path.join("StandIns", os.path.relpath(path, folder))] = path


def all_sources(left_out):
    return [Sources(target, left_out) for target in SUPPORT + SUITES]
