// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    package func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] {
        try withOpen { open in
            let engine = SQLiteSaveEngine(open)
            return try open.withWriteTransaction {
                try PermanentKeys.allocate(layouts, reserve: engine.reserveKeys)
            }
        }
    }

    package func reserveKeys(through last: [UInt32: Int64]) throws {
        try withOpen { open in
            let engine = SQLiteSaveEngine(open)
            try open.withWriteTransaction {
                for (root, key) in last.sorted(by: { $0.key < $1.key }) {
                    try engine.reserveKeys(root: root, count: 0, after: key)
                }
            }
        }
    }

    package func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] {
        try withOpen { try $0.plans.computedProperties(layout) }
    }

    package func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try withOpen { open in
            let engine = SQLiteSaveEngine(open)
            let result = try open.file.withMetadata {
                try SQLSave(changes, engine: engine).run {
                    if let metadata = open.changedMetadata { try open.file.write(metadata: metadata) }
                    try engine.externalFiles.prepareForCommit()
                    try beforeCommit()
                }
            }
            open.generations.didCommit(
                removing: engine.externalFiles.unused, recordedIn: engine.externalFiles.journal)
            open.changedMetadata = nil
            return result
        }
    }
}
