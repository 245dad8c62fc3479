// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The files of a SQLite store: the database, the files that SQLite keeps beside it, and the folder of external data.
package struct StoreFiles {
    package struct File: Sendable {
        package let path: String
        /// The size in bytes. A folder has the size of its files.
        package let size: UInt64
        /// The part of the file in the store, in words.
        package let role: String

        package init(path: String, size: UInt64, role: String) {
            self.path = path
            self.size = size
            self.role = role
        }
    }

    package let files: [File]

    /// Lists the files of the store at a path, without opening it.
    package init(of path: String) {
        let path = OperatingSystem.resolvingLinks(path)
        var files: [File] = []
        for (suffix, role) in [
            ("", "database"), ("-wal", "write-ahead log: saves that aren't in the database yet"),
            ("-shm", "index of the write-ahead log"),
            ("-journal", "rollback journal of a running or interrupted transaction"),
        ] {
            if case .file(let size) = OperatingSystem.fileKind(at: path + suffix) {
                files.append(File(path: path + suffix, size: size, role: role))
            }
        }
        let externalData = SQLiteExternalData(storePath: path)
        if OperatingSystem.fileKind(at: externalData.supportFolder) == .directory {
            let names = externalData.namesInFolder
            let size = names.reduce(UInt64(0)) { $0 + (externalData.size(of: $1) ?? 0) }
            files.append(
                File(
                    path: externalData.supportFolder, size: size,
                    role: "external data: \(Wording.count(names.count, "file"))"))
        }
        self.files = files
    }
}
