#!/bin/sh
# Lets code of a program act in the middle of the library's, in every combination, under the address sanitizer: see
# Callbacks/. Prints each case that ends a process or leaves a context in disorder, and counts. Arguments go to the
# program, for example: --callback awakeFromFetch --action reset, or --every 7 for a part of the cases.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/callbacks-build.log
# The build of `make test-asan`, with the same flags.
scratch=.build/address-sanitizer
check_flags="--disable-index-store"
echo "Building with the address sanitizer (the first time takes several minutes)"
build_into "$log" --product callbacks --sanitize=address
# Swift's runtime keeps what it makes once, which counts as leaked. A process ends at its first report.
export ASAN_OPTIONS="halt_on_error=1:exitcode=66:detect_leaks=0:detect_stack_use_after_return=0"
exec "$(check_swift build --sanitize=address --show-bin-path)/callbacks" "$@"
