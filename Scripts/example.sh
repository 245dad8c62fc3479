#!/bin/sh
# Builds Examples/Garage as a user's package would be, outside this one, and checks what the plugin promises:
# that it builds and runs, that a build without changes does nothing, that generated classes follow the model, and
# that mistakes are reported where the user made them. Arguments go to every build (`-c release`).
set -eu
cd "$(dirname "$0")/.."

# In the folder of the tests and with their flags, so that the library is compiled once.
. Scripts/check-build.sh
root=$(pwd -P)
log=$root/.build/example.log
scratch=$root/.build/check
# One folder for this clone and user, so that what was built there last time can be used again. Its name has what
# real paths have: a space and a letter outside ASCII.
folder=${TMPDIR:-/tmp}/"OpenCoreData example ö $(id -u)-$(printf %s "$root" | cksum | cut -d ' ' -f 1)"
package=$folder/Garage
model="$package/Sources/Garage/Garage.xcdatamodeld/Garage 2.xcdatamodel/contents"
class="$package/Sources/Garage/Model/Car+CoreDataClass.swift"

fail() {
    echo "The example package: $1" >&2
    echo "  (its folder is $package, the log $log)" >&2
    exit 1
}

# What a build said, without its steps.
show() { grep -vE '^\[[0-9]+/[0-9]+\]' "$1" >&2 || true; }

build() { check_swift build --package-path "$package" "$@" >"$log" 2>&1; }

# The package manager may keep the plan of the package that was built before in the folder.
forget_plan() { rm -f "$scratch"/*.yaml; }
clean_up() { forget_plan; }

# Replaces text in a file and makes sure that there was something to replace.
edit() {
    cp "$3" "$folder/before"
    sed "s|$1|$2|" "$folder/before" >"$3"
    ! cmp -s "$folder/before" "$3" || fail "'$1' is no longer in $3: adapt this script."
}

expect() { grep -qE -- "$1" "$2" || { cat "$2" >&2; fail "$3"; }; }

mkdir -p -m 700 "$folder"
[ -O "$folder" ] || fail "$folder belongs to somebody else."
# Copies a package, with the entry point of the tests.
copy() {
    rm -rf "${folder:?}/$1"
    cp -Rp "Examples/$1" "$folder/$1"
    rm -rf "$folder/$1/.build"
    cp Scripts/TestRunner.swift "$folder/$1/$runner"
    edit '"\.\./\.\."' "\"$root\"" "$folder/$1/Package.swift"
}
copy Garage
copy SwiftDataApp

forget_plan
echo "Building the example package (the first time takes a few minutes)"
build "$@" || { show "$log"; fail "it doesn't build."; }
if grep -E "(^|: )warning:" "$log" | grep -vF "$root/" >&2; then fail "it builds with warnings."; fi
binaries=$(check_swift build --package-path "$package" "$@" --show-bin-path)
run() { "$binaries/Garage" >"$folder/output" 2>&1 || { cat "$folder/output" >&2; fail "it stopped."; }; }

run
expect '^  Garage 2 +[A-Za-z0-9+/]{43}=$' "$folder/output" "the second version of the model is missing."
expect 'A Car is called "Automobile"' "$folder/output" "the strings beside the model were not found."
expect '^Analytical, 1843 miles, of Ada$' "$folder/output" "the values were not kept."
expect '^  repaired: new punched cards, 3 h, 17\.5$' "$folder/output" "the generated class did not work."
expect '^Ada drove 3665 miles in all\.$' "$folder/output" "the class that continues in another file did not work."

# The first build made Package.resolved, which makes the second plan again.
build "$@" && build "$@" || { show "$log"; fail "it doesn't build again."; }
if grep -E "Compiling|Generating|Copying|Linking" "$log" | grep -v "Compiling plugin" >&2; then
    fail "a build without changes does something."
fi

edit 'name="hours"' 'name="minutes"' "$model"
edit 'repair\.hours' 'repair.minutes' "$package/Sources/Garage/main.swift"
# Models of the other forms come along, and a source that names a class that Foundation has too.
mkdir -p "$package/Sources/Garage/More/Single.xcdatamodel"
cp "$package/Sources/Garage/Garage.xcdatamodeld/Garage.xcdatamodel/contents" "$package/Sources/Garage/More/Single.xcdatamodel/"
echo 'Part { attribute name: string }' >"$package/Sources/Garage/More/Parts.coredata"
cat >"$package/Sources/Garage/More/Name.swift" <<'SWIFT'
import CoreData
import Foundation

let nameOfACar: NSExpression = NSExpression(forKeyPath: "make")
SWIFT
build "$@" || { show "$log"; fail "the generated class didn't follow the model, or models of other forms don't build."; }
if grep -E "(^|: )warning:" "$log" | grep -vF "$root/" >&2; then fail "models of other forms give warnings."; fi
for name in Garage.momd Single.mom Parts.mom; do
    [ -e "$binaries/Garage_Garage.resources/$name" ] || fail "$name is not in the bundle."
done
run
expect '^  repaired: new punched cards, 3 h, 17\.5$' "$folder/output" "the compiled model didn't follow its source."

# A model that is left out later leaves the bundle. The manifest is saved again, so that the plugin is asked.
echo '{ "exclude": ["More/Single.xcdatamodel"] }' >"$package/Sources/Garage/coredata-plugin.json"
edit 'exclude: \["Model"\]' 'exclude: ["Model", "coredata-plugin.json", "More/Single.xcdatamodel"]' "$package/Package.swift"
build "$@" || { show "$log"; fail "it doesn't build without one of its models."; }
[ ! -e "$binaries/Garage_Garage.resources/Single.mom" ] || fail "a model that is left out stayed in the bundle."
[ -e "$binaries/Garage_Garage.resources/Parts.mom" ] || fail "a model left the bundle with another one."

edit 'name="minutes" optional="YES" attributeType="Integer 16"' 'name="minutes" optional="YES" attributeType="Integer 17"' "$model"
! build "$@" || fail "a broken model was built."
expect '/Garage 2\.xcdatamodel/contents:[0-9]+(:[0-9]+)?: error: ' "$log" "the mistake in the model was not reported with its line."
[ "$(grep -c 'contents:.*error: ' "$log")" -eq 1 ] || fail "the mistake in the model was reported more than once."
edit 'Integer 17' 'Integer 16' "$model"

edit 'request\.predicate = ' 'request.predicate = 1 + ' "$class"
line=$(grep -n 'request\.predicate = 1' "$class" | cut -d : -f 1)
! build "$@" || fail "a mistake in an excluded source was built."
expect "/Garage/Model/Car\\+CoreDataClass\\.swift:$line:[0-9]+: error: " "$log" "the mistake in an excluded source was not reported on its line."
edit 'request\.predicate = 1 + ' 'request.predicate = ' "$class"

echo "Running the tests of the example package"
build --build-tests "$@" && NO_COLOR=1 "$binaries/GaragePackageTests.xctest" --testing-library swift-testing >>"$log" 2>&1 ||
    { show "$log"; fail "its tests failed."; }

echo "Building and running Examples/MainActorApp"
forget_plan
check_swift run --package-path Examples/MainActorApp "$@" >"$log" 2>&1 ||
    { show "$log"; fail "Examples/MainActorApp failed."; }
echo "Building and running Examples/Compatibility"
forget_plan
check_swift run --package-path Examples/Compatibility "$@" >"$log" 2>&1 ||
    { show "$log"; fail "Examples/Compatibility failed."; }
expect '^Everything behaves as expected\.$' "$log" "Examples/Compatibility did not run to its end."

echo "Building and running Examples/OwnStores"
forget_plan
check_swift run --package-path Examples/OwnStores "$@" JSONFile >"$log" 2>&1 ||
    { show "$log"; fail "Examples/OwnStores failed."; }
expect '^The first coordinator read the file before\. Its save: error 134030\.$' "$log" "the JSON store overwrote a file."
expect '^After the store was added again it sees 1 book\.$' "$log" "the JSON store didn't read its file again."
check_swift run --package-path Examples/OwnStores "$@" RestStore >"$log" 2>&1 ||
    { show "$log"; fail "Examples/OwnStores failed."; }
expect '^Another coordinator fetches the books before 1973: 1\.$' "$log" "the REST store didn't find its book."
expect '^The first context changes it, too: error 133020\.$' "$log" "the REST store didn't notice a conflict."
expect '^With a merge policy it is saved\.$' "$log" "Examples/OwnStores did not run to its end."

echo "Testing Examples/SwiftDataApp"
forget_plan
package=$folder/SwiftDataApp
build --build-tests "$@" &&
    NO_COLOR=1 "$binaries/SwiftDataAppExamplePackageTests.xctest" --testing-library swift-testing >>"$log" 2>&1 ||
    { show "$log"; fail "the tests of Examples/SwiftDataApp failed."; }
if grep -E "/SwiftDataApp/.*warning:" "$log" >&2; then fail "Examples/SwiftDataApp builds with warnings."; fi
