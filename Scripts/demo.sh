#!/bin/sh
# Builds and runs the program of the README, and says what to do next.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
folder=.build/demo
echo "Building the library and the program of the README (the first time takes some two minutes)"
build_product readme .build/demo-build.log
program=$(check_swift build --show-bin-path)/readme
rm -rf "$folder"
mkdir -p "$folder"
echo "Running Examples/Readme/main.swift: it makes a model and a store, saves a song, and fetches it:"
(cd "$folder" && "$program") | sed 's/^/  /'
cat <<TEXT

The store is $folder/Music.sqlite, a file that Core Data opens on a Mac too. Go on with:

  Scripts/coredata.sh store info $folder/Music.sqlite            looks into it
  Scripts/coredata.sh store browse --open $folder/Music.sqlite   shows it in the browser
  (the first of these builds the command)

  Sources/CoreData/CoreData.docc/Guides/FirstStore.md    a package of your own, in ten minutes
  README.md                                              all guides and examples
  make test                                              the tests
TEXT
