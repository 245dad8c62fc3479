#!/bin/sh
# Checks the documentation: the guides show the code of the snippets, every snippet runs, docc has no warning, no link is
# dead, every public type is in a Topics group, the coverage has not fallen, and a browser shows the pages. `--update`
# stores the figures of a coverage that has risen.
set -eu
cd "$(dirname "$0")/.."

echo "Comparing the guides with the snippets"
Scripts/check-snippets.py
echo "Running the snippets"
Scripts/snippets.sh
Scripts/docs.sh --experimental-documentation-coverage
echo "Checking the pages"
Scripts/docs-check.py "$@"
