/// Writes the change of one to-many relationship of one object.
struct LinkWriter {
    private let change: StoreChanges.LinkChange
    private let save: SQLiteSave
    private let connection: SQLiteConnection
    private let slot: PropertySlot

    init(_ change: StoreChanges.LinkChange, save: SQLiteSave) {
        self.change = change
        self.save = save
        connection = save.open.connection
        slot = change.layout.properties[change.property]
    }

    func write() throws {
        let entity = try save.open.entity(change.layout)
        guard case .toMany(let relationship)? = entity.properties[slot.name] else { return }
        let owner = try save.permanentKey(change.owner)
        switch relationship.storage {
        case .foreignKey(let key):
            let table = relationship.destination.tableName
            if key.isWithoutInverse {
                try writeKeys(key, table: table, owner: owner, ownerEntity: Int64(entity.number))
            }
            if let order = key.orderColumn {
                try writeOrder(
                    read: "SELECT Z_PK, \(order.name) FROM \(table) WHERE \(key.column.name) = ?",
                    update: "UPDATE \(table) SET \(order.name) = ? WHERE Z_PK = ? AND \(key.column.name) = ?",
                    owner: owner)
            }
        case .join(let join):
            try writeJoin(join, owner: owner)
            if let order = join.orderColumn {
                try writeOrder(
                    read:
                        "SELECT \(join.contentColumn), \(order) FROM \(join.table.name) WHERE \(join.ownerColumn) = ?",
                    update: """
                        UPDATE \(join.table.name) SET \(order) = ? WHERE \(join.contentColumn) = ? AND \
                        \(join.ownerColumn) = ?
                        """,
                    owner: owner)
            }
        }
    }

    // MARK: Keys

    /// A relationship without inverse: nobody but its owner writes the keys in the destination's rows.
    private func writeKeys(_ key: SQLForeignKey, table: String, owner: Int64, ownerEntity: Int64) throws {
        let cleared = ([key.column] + [key.entityColumn, key.orderColumn].compactMap { $0 }).map { "\($0.name) = NULL" }
            .joined(separator: ", ")
        for reference in change.removed where reference.key > 0 {
            try connection.run(
                "UPDATE \(table) SET \(cleared) WHERE Z_PK = ? AND \(key.column.name) = ?",
                [.integer(reference.key), .integer(owner)])
        }
        for reference in change.added {
            let content = SQLValue.integer(try save.permanentKey(reference.key))
            if let entityColumn = key.entityColumn {
                try connection.run(
                    "UPDATE \(table) SET \(key.column.name) = ?, \(entityColumn.name) = ? WHERE Z_PK = ?",
                    [.integer(owner), .integer(ownerEntity), content])
            } else {
                try connection.run(
                    "UPDATE \(table) SET \(key.column.name) = ? WHERE Z_PK = ?", [.integer(owner), content])
            }
        }
    }

    private func writeJoin(_ join: SQLJoin, owner: Int64) throws {
        let name = join.table.name
        let insert = "INSERT OR IGNORE INTO \(name)(\(join.ownerColumn), \(join.contentColumn)) VALUES(?, ?)"
        let delete = "DELETE FROM \(name) WHERE \(join.ownerColumn) = ? AND \(join.contentColumn) = ?"
        for reference in change.removed where reference.key > 0 {
            try connection.run(delete, [.integer(owner), .integer(reference.key)])
            if join.table.isReflexive { try connection.run(delete, [.integer(reference.key), .integer(owner)]) }
        }
        for reference in change.added {
            let content = try save.permanentKey(reference.key)
            try connection.run(insert, [.integer(owner), .integer(content)])
            if join.table.isReflexive { try connection.run(insert, [.integer(content), .integer(owner)]) }
        }
    }

    // MARK: Order

    private func writeOrder(read: String, update: String, owner: Int64) throws {
        var present: [Int64: Int64] = [:]
        let statement = try connection.statement(read)
        try statement.bind(owner, at: 1)
        while try statement.step() {
            if !statement.isNull(at: 1) { present[statement.int64(at: 0)] = statement.int64(at: 1) }
        }
        statement.reset()

        for reference in change.added { present[try save.permanentKey(reference.key)] = nil }
        let members: [Int64]
        if let order = change.order {
            members = try order.map { try save.permanentKey($0.key) }
        } else {
            // What is there keeps its order; what has come comes last.
            let last = try change.last.map { try save.permanentKey($0.key) }
            for key in last { present[key] = nil }
            members = present.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) + last
        }
        let keys = OrderKeys.assign(members.map { present[$0] })
        for (member, key) in zip(members, keys) where present[member] != key {
            try connection.run(update, [.integer(key), .integer(member), .integer(owner)])
        }
    }

    // MARK: Deleted owners

    /// Removes what other tables say of a deleted row.
    static func forgetOwner(_ entity: SQLEntity, key: Int64, connection: SQLiteConnection) throws {
        for property in entity.properties.values {
            guard case .toMany(let relationship) = property else { continue }
            switch relationship.storage {
            case .join(let join):
                try connection.run("DELETE FROM \(join.table.name) WHERE \(join.ownerColumn) = ?", [.integer(key)])
                if join.table.isReflexive {
                    try connection.run(
                        "DELETE FROM \(join.table.name) WHERE \(join.contentColumn) = ?", [.integer(key)])
                }
            case .foreignKey(let foreign) where foreign.isWithoutInverse:
                let cleared = ([foreign.column] + [foreign.entityColumn, foreign.orderColumn].compactMap { $0 }).map {
                    "\($0.name) = NULL"
                }.joined(separator: ", ")
                try connection.run(
                    "UPDATE \(relationship.destination.tableName) SET \(cleared) WHERE \(foreign.column.name) = ?",
                    [.integer(key)])
            default:
                continue
            }
        }
    }
}
