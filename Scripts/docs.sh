#!/bin/sh
# Makes the documentation site, .build/docs/site, of the catalog Sources/CoreData/CoreData.docc, the public declarations
# and the reference in Documentation, with a root page and a search. Arguments go to `docc convert`: for a site in a folder
# of a server `--hosting-base-path FOLDER`. COREDATA_SOURCE_URL names the sources on a forge: see Scripts/docs-site.py.
set -eu
cd "$(dirname "$0")/.."

catalog=Sources/CoreData/CoreData.docc
output=.build/docs
. Scripts/check-build.sh

fail() {
    echo "$1" >&2
    exit 1
}

mkdir -p "$output"
echo "Building the library"
for target in CoreDataPostgreSQL CoreData SwiftData; do build_into "$output/build.log" --target "$target"; done
binaries=$(check_swift build --show-bin-path)

echo "Reading the declarations"
rm -rf "$output/symbols" "$output/site"
mkdir -p "$output/symbols"
target=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)
Scripts/with-modules.sh "$binaries" swift-symbolgraph-extract -module-name CoreData -target "$target" \
    -minimum-access-level public -emit-extension-block-symbols \
    -experimental-allowed-reexported-modules=OpenCoreData,CoreDataStores,CoreDataModel,CoreDataPredicates \
    -output-dir "$output/symbols"
Scripts/with-modules.sh "$binaries" swift-symbolgraph-extract -module-name CoreDataPostgreSQL -target "$target" \
    -minimum-access-level public -emit-extension-block-symbols -output-dir "$output/symbols"
Scripts/with-modules.sh "$binaries" swift-symbolgraph-extract -module-name SwiftData -target "$target" \
    -minimum-access-level public -emit-extension-block-symbols -output-dir "$output/symbols"
Scripts/docs-graph.py "$output/symbols"

echo "Making the pages"
pages=$output/CoreData.docc
rm -rf "$pages"
cp -R "$catalog" "$pages"
Scripts/docs-articles.py "$output/symbols" "$pages"
# docc knows drawings by their names; the paths are for those who read the guides as files.
sed -i 's|](\.\./Resources/|](|' "$pages"/Guides/*.md
docc convert "$pages" --additional-symbol-graph-dir "$output/symbols" --output-path "$output/site" \
    --fallback-display-name CoreData --fallback-bundle-identifier OpenCoreData.CoreData \
    --transform-for-static-hosting --warnings-as-errors "$@" >"$output/convert.log" 2>&1 ||
    { cat "$output/convert.log" >&2 && fail "The documentation has errors or warnings."; }
Scripts/docs-site.py "$output/site" "$output/symbols"
cat <<END
The site is in $output/site. Any web server can serve it. To look at it:
  python3 -m http.server --directory $output/site 8000
  http://localhost:8000/
END
