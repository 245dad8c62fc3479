#!/bin/sh
# Checks the documentation: the guides show the code of the snippets, every snippet runs, every listing is complete and
# runs as shown, the drawings equal the output of their script, docc has no warning, no link is dead, every public type
# is in a Topics group, the coverage has not fallen, and a browser shows the pages and searches. `--update` stores the
# figures of a coverage that has risen.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh

echo "Comparing the guides with the snippets"
Scripts/check-snippets.py
echo "Running the snippets"
Scripts/snippets.sh
echo "Running the listings of the guides as they are shown"
Scripts/docs-drawings.py --check
for product in coredata momc; do build_product "$product" .build/docs/listings.log; done
Scripts/check-listings.py .build/check/debug
Scripts/docs.sh --experimental-documentation-coverage
echo "Checking the pages"
Scripts/docs-check.py "$@"
