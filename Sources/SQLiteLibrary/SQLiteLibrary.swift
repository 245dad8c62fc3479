// SPDX-License-Identifier: Apache-2.0

// The one place that chooses the library behind SQLite's functions: see the traits in Package.swift.
@_exported import CSQLiteShims

#if SQLCipher
    @_exported import CSQLCipher
#elseif BundledSQLite
    @_exported import SwiftToolchainCSQLite
#else
    @_exported import CSQLite
#endif
