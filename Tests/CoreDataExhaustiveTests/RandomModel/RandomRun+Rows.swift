import CoreData

/// Comparing the rows of the file with what should be stored.
extension RandomRun {
    func compareRows(isLast: Bool) throws {
        let file = try SQLiteFile(stack.url)
        let found = try StoredRows(file)
        for (number, record) in stored.records {
            guard let item = found.items[number] else { throw TestFailure("object \(number) has no row") }
            guard item.entity == record.entity.rawValue else {
                throw TestFailure("the row of \(number) is that of a \(item.entity)")
            }
            for (key, value) in item.values where value != record.values[key] ?? .none {
                throw TestFailure(
                    "the row of \(number) has \(key) = \(value) instead of \(record.values[key] ?? .none)")
            }
            for relationship in RandomSchema.relationships(of: record.entity) {
                try compare(number, record, relationship, item, found)
            }
            try compareVersion(number, record, item)
        }
        if isLast {
            let check = try file.rows("PRAGMA integrity_check")
            if check.compactMap({ $0["integrity_check"]?.text }) != ["ok"] {
                throw TestFailure("PRAGMA integrity_check: \(check)")
            }
        }
        rows = found
        storedRecords = stored.records
    }

    private func compare(
        _ number: Int, _ record: ReferenceRecord, _ relationship: RandomSchema.Relationship, _ item: StoredRows.Item,
        _ found: StoredRows
    ) throws {
        let expected = record.destinations(relationship.name)
        if !relationship.isToMany {
            let reference = item.references[relationship.name]
            if reference != expected.first {
                throw TestFailure(
                    """
                    the row of \(number) has \(relationship.name) = \(reference.map { "\($0)" } ?? "NULL") instead \
                    of \(expected)
                    """
                )
            }
        } else if let members = found.members[relationship.name] {
            let members = members[number] ?? []
            guard relationship.isOrdered ? members == expected : members.sorted() == expected.sorted() else {
                throw TestFailure("the rows of \(number).\(relationship.name) have \(members) instead of \(expected)")
            }
        }
    }

    /// A row's version grows when its values change, and never shrinks.
    private func compareVersion(_ number: Int, _ record: ReferenceRecord, _ item: StoredRows.Item) throws {
        guard let before = rows.items[number], let old = storedRecords[number] else { return }
        let ownKeys = record.changedKeys(from: old).filter { key in
            record.values[key] != nil || !RandomSchema.relationship(key).isToMany
        }
        guard ownKeys.isEmpty ? item.version >= before.version : item.version > before.version else {
            throw TestFailure(
                """
                the version of \(number) was \(before.version) and is \(item.version), though \(ownKeys.sorted()) \
                changed
                """
            )
        }
    }
}
