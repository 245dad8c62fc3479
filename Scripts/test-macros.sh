#!/bin/sh
# Expands the declarations in Oracle/SwiftDataMacros/Inputs by the plugin and by macros that are written with
# swift-syntax, and compares the code and the errors.
set -eu
cd "$(dirname "$0")/.."
. Scripts/check-build.sh

# The modules of swift-syntax that the toolchain has for its own macros.
SWIFT_HOST_MODULES=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
export SWIFT_HOST_MODULES
if [ ! -d "$SWIFT_HOST_MODULES/SwiftSyntax.swiftmodule" ]; then
    echo "The toolchain has no modules of swift-syntax in $SWIFT_HOST_MODULES: install a complete toolchain." >&2
    exit 1
fi

build_product SwiftDataMacros .build/macros.log
plugin=$(check_swift build --show-bin-path)/SwiftDataMacros-tool
scratch=$(pwd -P)/.build/oracle
cd Oracle/SwiftDataMacros
build_product Oracle "$scratch.log"
"$(check_swift build --show-bin-path)/Oracle" "$plugin" Inputs
