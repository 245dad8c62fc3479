// SPDX-License-Identifier: Apache-2.0

// The one place that chooses the library behind SQLite's functions: see the traits in Package.swift.
#if SQLCipher
    @_exported import CSQLCipher
#else
    @_exported import CSQLite
#endif
