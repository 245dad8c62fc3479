// SPDX-License-Identifier: Apache-2.0

/// The row versions of an incremental store's objects. The mutex guards them.
///
/// Contexts compare row versions, which a save increments. A store may count otherwise, or not at all, and shows the
/// versions that it gives to saved objects only when it is asked again. So a row version stands for the version of a
/// node: another node version is a new row version; the first node after a save keeps the row version of the save.
final class IncrementalVersions: Sendable {
    private struct Version {
        var row: Int32
        /// Nil after a save.
        var node: UInt64?
        var isDeleted = false
    }

    private let versions = Locked<[Int64: Version]>([:])

    /// A mark of the present version. A read of an object compares the marks before and after it asks the program: if
    /// they differ, a save or another read may have found newer values.
    func mark(_ key: Int64) -> Mark { versions.withLock { Mark(row: $0[key]?.row, isDeleted: $0[key]?.isDeleted) } }

    struct Mark: Equatable {
        fileprivate let row: Int32?
        fileprivate let isDeleted: Bool?
    }

    /// The row version of a node.
    func row(_ key: Int64, node: UInt64) -> Int32 {
        versions.withLock { versions in
            guard var version = versions[key] else {
                versions[key] = Version(row: 1, node: node)
                return 1
            }
            if let known = version.node, known != node || version.isDeleted { version.row &+= 1 }
            version.node = node
            version.isDeleted = false
            versions[key] = version
            return version.row
        }
    }

    /// Whether an object has another version than a context has read.
    func differs(_ key: Int64, from seen: Int32) -> Bool {
        versions.withLock { versions in versions[key].map { $0.isDeleted || $0.row != seen } ?? false }
    }

    func isDeleted(_ key: Int64) -> Bool { versions.withLock { $0[key]?.isDeleted ?? false } }

    /// Records that an object was found missing.
    func didMiss(_ key: Int64) { versions.withLock { $0[key]?.isDeleted = true } }

    /// Records the row versions that the objects of a save have now.
    func didSave(_ changes: StoreChanges) {
        versions.withLock { versions in
            for row in changes.inserted { versions[row.key] = Version(row: row.version, node: nil) }
            for row in changes.updated { versions[row.key] = Version(row: row.version &+ 1, node: nil) }
            for row in changes.deleted { versions[row.key] = Version(row: row.version, node: nil, isDeleted: true) }
        }
    }
}
