import CoreDataModel
import CoreDataPredicates
import OpenCoreData

@testable import CoreDataStores

/// The same objects in memory and in a store.
final class Library {
    let folder: TemporaryFolder
    let file: SQLiteStoreFile
    let model: NSManagedObjectModel
    private(set) var artists: [LibraryObject] = []
    private(set) var songs: [LibraryObject] = []
    private(set) var tags: [LibraryObject] = []

    var schema: SQLSchema { file.schema }
    var connection: SQLiteConnection { file.connection }

    init(model: NSManagedObjectModel = LibraryModel.make()) throws {
        folder = try TemporaryFolder()
        self.model = model
        file = try SQLiteStoreFile.open(at: folder.path("library.sqlite"), model: model)
    }

    var translator: SQLQueryTranslator {
        SQLQueryTranslator(schema: schema, dialect: SQLiteDialect()) { constant in
            (constant as? LibraryObject).map {
                SQLObjectReference(entityName: $0.entity.name ?? "", key: $0.key > 0 ? $0.key : nil)
            }
        }
    }

    func entity(_ name: String) -> NSEntityDescription { model.entitiesByName[name]! }

    func query(_ entity: String, _ predicate: NSPredicate? = nil) -> StoreQuery {
        StoreQuery(layout: self.entity(entity).entityLayout, predicate: predicate)
    }

    /// The keys that a query finds, in order.
    func keys(_ query: StoreQuery, selecting selection: SQLSelection = .identifiers) throws -> [Int64] {
        let plan = try translator.statement(query, selecting: selection)
        return try rows(plan.text, plan.bindings).map { $0[0] }
    }

    /// The rows of a statement, all columns as integers.
    func rows(_ text: String, _ bindings: [SQLValue]) throws -> [[Int64]] {
        let statement = try connection.statement(text)
        defer { statement.reset() }
        try statement.bind(bindings)
        var rows: [[Int64]] = []
        while try statement.step() {
            rows.append((0..<Int32(statement.columnCount)).map { statement.int64(at: $0) })
        }
        return rows
    }

    // MARK: Filling

    func fill(_ random: inout SeededGenerator) throws {
        let kinds = ["Artist", "Artist", "Band", "Duo"]
        artists = (1...24).map { LibraryObject(entity(kinds.randomElement(using: &random)!), key: $0) }
        songs = (1...40).map { LibraryObject(entity("Song"), key: $0) }
        tags = (1...6).map { LibraryObject(entity("Tag"), key: $0) }
        for object in artists + songs + tags { fill(object, &random) }
        for song in songs {
            if random.chance(4, of: 5) { link(song, "artist", artists.randomElement(using: &random)!, "songs") }
            if random.chance(1, of: 2) { link(song, "leader", artists.randomElement(using: &random)!, "tracks") }
            for tag in tags where random.chance(1, of: 4) { link(song, "tags", tag, "songs") }
            // Without inverse: one row has one owner.
            if random.chance(1, of: 2) {
                artists.randomElement(using: &random)!.related["favourites", default: []].append(song)
            }
        }
        for artist in artists {
            if random.chance(1, of: 2) { link(artist, "idol", artists.randomElement(using: &random)!, "fans") }
            if random.chance(1, of: 2) { befriend(artist, artists.randomElement(using: &random)!) }
        }
        try connection.withTransaction { try store() }
    }

    private func fill(_ object: LibraryObject, _ random: inout SeededGenerator) {
        for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
        where !attribute.isTransient {
            guard random.chance(4, of: 5), let value = LibraryValues.value(of: attribute.attributeType, &random) else {
                continue
            }
            if name != "picture" { object.values[name] = value }
        }
    }

    private func link(_ one: LibraryObject, _ name: String, _ two: LibraryObject, _ inverse: String) {
        one.related[name, default: []].append(two)
        two.related[inverse, default: []].append(one)
    }

    private func befriend(_ one: LibraryObject, _ two: LibraryObject) {
        guard !(one.related["friends"] ?? []).contains(two) else { return }
        one.related["friends", default: []].append(two)
        if one !== two { two.related["friends", default: []].append(one) }
    }

    // MARK: Storing

    private func store() throws {
        for object in artists + songs + tags { try store(object) }
        for object in artists + songs + tags { try storeContent(of: object) }
    }

    private func store(_ object: LibraryObject) throws {
        let entity = schema.entity(for: object.entity)!
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var values: [SQLValue] = [.integer(object.key), .integer(Int64(entity.number)), .integer(1)]
        for (name, property) in entity.properties {
            switch property {
            case .attribute(let attribute):
                guard let value = object.values[name] else { continue }
                columns.append(attribute.column.name)
                values.append(LibraryValues.stored(value))
            case .toOne(let relationship):
                guard let other = object.related[name]?.first else { continue }
                columns.append(relationship.column.name)
                values.append(.integer(other.key))
                if let column = relationship.entityColumn {
                    columns.append(column.name)
                    values.append(.integer(Int64(schema.entity(for: other.entity)!.number)))
                }
            case .toMany, .composite:
                continue
            }
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try connection.run(
            "INSERT INTO \(entity.tableName) (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
    }

    private func storeContent(of object: LibraryObject) throws {
        for (name, others) in object.related {
            guard let relationship = schema.entity(for: object.entity)!.toMany(name) else { continue }
            for (place, other) in others.enumerated() {
                switch relationship.storage {
                case .foreignKey(let foreignKey):
                    let order = foreignKey.orderColumn.map { ", \($0.name) = \((place + 2) * 1024)" } ?? ""
                    try connection.run(
                        """
                        UPDATE \(relationship.destination.tableName) SET \(foreignKey.column.name) = ?\(order) \
                        WHERE Z_PK = ?
                        """,
                        [.integer(object.key), .integer(other.key)])
                case .join(let join):
                    try connection.run(
                        """
                        INSERT INTO \(join.table.name) (\(join.ownerColumn), \(join.contentColumn)) VALUES (?, ?) \
                        ON CONFLICT DO NOTHING
                        """,
                        [.integer(object.key), .integer(other.key)])
                    if let order = join.orderColumn {
                        try connection.run(
                            """
                            UPDATE \(join.table.name) SET \(order) = ? WHERE \(join.ownerColumn) = ? AND \
                            \(join.contentColumn) = ?
                            """,
                            [.integer(Int64((place + 2) * 1024)), .integer(object.key), .integer(other.key)])
                    }
                }
            }
        }
    }
}
