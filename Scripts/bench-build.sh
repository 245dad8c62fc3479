#!/bin/sh
# Times what isn't a run of a program: the model compiler, a build without a change, a clean release build.
#   OPENCOREDATA_CORPUS=FOLDER Scripts/bench-build.sh [--no-release]
# FOLDER has models; the largest version of them is compiled. Without it, and with --no-release, those parts are left
# out. Prints elapsed and processor seconds.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs the command and prints its times under a title.
timed() {
    title=$1
    shift
    if ! bash -c 'TIMEFORMAT="%R %U %S"; time "$@" >"$0" 2>&1' "$scratch/log" "$@" 2>"$scratch/time"; then
        cat "$scratch/log" >&2
        exit 1
    fi
    tail -n 1 "$scratch/time" |
        awk -v title="$title" '{ printf "%-60s %8.2f s elapsed %8.2f s on processors\n", title, $1, $2 + $3 }'
}

if [ -n "${OPENCOREDATA_CORPUS:-}" ]; then
    swift build -c release --product momc --scratch-path .build/bench >"$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; exit 1; }
    momc=$(swift build -c release --product momc --scratch-path .build/bench --show-bin-path)/momc
    largest=$(find "$OPENCOREDATA_CORPUS" -path '*.xcdatamodel/contents' -printf '%s %h\n' | sort -rn | head -n 1)
    model=${largest#* }
    echo "The largest model: $(basename "$model"), ${largest%% *} bytes"
    for round in 1 2 3 4 5; do
        rm -rf "$scratch/model.mom"
        timed "momc, round $round (target: 0.05 s)" "$momc" "$model" "$scratch/model.mom"
    done
else
    echo "momc is left out: OPENCOREDATA_CORPUS names no folder of models"
fi

cp -R Examples/Garage "$scratch/Garage"
rm -rf "$scratch/Garage/.build"
# The copy needs the package by its whole path.
sed -i "s|path: \"../..\"|path: \"$PWD\"|" "$scratch/Garage/Package.swift"
echo "Building the example with the plugin (several minutes)"
timed "a clean debug build of Examples/Garage, with the plugin" swift build --package-path "$scratch/Garage"
for round in 1 2 3; do
    timed "the same without a change, with the plugin, round $round" swift build --package-path "$scratch/Garage"
done
# The same package without the plugin: what the package manager itself takes.
plain=$scratch/Garage-plain
cp -R "$scratch/Garage" "$plain"
rm -rf "$plain/.build" "$plain/Tests" "$plain/Sources/Garage"
mkdir -p "$plain/Sources/Garage"
echo 'import CoreData' >"$plain/Sources/Garage/Empty.swift"
sed -i -e '/plugins:/d' -e '/exclude:/d' -e '/testTarget/d' -e 's/resources: .*/path: "Sources\/Garage"),/' \
    -e 's/\.executableTarget/.target/' "$plain/Package.swift"
if swift build --package-path "$plain" >"$scratch/log" 2>&1; then
    for round in 1 2 3; do
        timed "without a change, without the plugin, round $round" swift build --package-path "$plain"
    done
else
    cat "$scratch/log" >&2
    exit 1
fi

Scripts/bench-build-swiftdata.sh

[ "${1:-}" = --no-release ] && exit 0
echo "Building the library in release mode (several minutes)"
timed "a clean release build of the library" swift build -c release --product CoreData --scratch-path "$scratch/release"
