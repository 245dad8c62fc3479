// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Temporary keys, of objects that are in no store yet: negative, unique in the process.
@usableFromInline package enum TemporaryKeys {
    @usableFromInline static let next = Atomic<Int64>(0)
    static let process = UUID().uuidString

    @inlinable @inline(__always)
    package static func make() -> Int64 { next.subtract(1, ordering: .relaxed).newValue }
}
