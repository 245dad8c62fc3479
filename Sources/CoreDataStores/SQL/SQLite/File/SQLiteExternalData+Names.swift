// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLiteExternalData {
    /// The names of the files that the rows of a store refer to.
    func fileNames(on connection: SQLiteConnection, _ schema: SQLSchema) throws -> Set<String> {
        var names: Set<String> = []
        for table in schema.tables {
            for column in table.columns where column.kind == .externalBinary {
                let name = SQLiteText.identifier(column.name)
                let statement = try connection.uncachedStatement(
                    "SELECT \(name) FROM \(SQLiteText.identifier(table.name)) WHERE LENGTH(\(name)) = ?")
                try statement.bind(Int64(Self.frameLength), at: 1)
                while try statement.step() {
                    if let file = statement.data(at: 0).flatMap(Self.fileName) { names.insert(file) }
                }
            }
        }
        return names
    }

    /// The names of the files that the rows of a database refer to, without a model: among the values of all columns
    /// that may have such names.
    static func fileNames(on connection: SQLiteConnection) throws -> Set<String> {
        func quoted(_ name: String) -> String { "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
        var names: Set<String> = []
        let columns = try connection.uncachedStatement(
            """
            SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND columns.type = 'BLOB' AND tables.name LIKE 'Z%'
            """)
        while try columns.step() {
            guard let table = columns.text(at: 0), let column = columns.text(at: 1) else { continue }
            let name = quoted(column)
            let values = try connection.uncachedStatement(
                "SELECT \(name) FROM \(quoted(table)) WHERE LENGTH(\(name)) = ? AND SUBSTR(\(name), 1, 1) = x'02'")
            try values.bind(Int64(frameLength), at: 1)
            while try values.step() {
                if let name = values.data(at: 0).flatMap(fileName) { names.insert(name) }
            }
        }
        return names
    }

    /// The names of the files that the other stores with the same folder refer to: the files beside the store whose
    /// names differ in their extensions. Nil if one of them can't be read.
    func fileNamesOfOtherStores() -> Set<String>? {
        let store = URL(fileURLWithPath: storePath)
        let base = store.deletingPathExtension().lastPathComponent
        let folder = OperatingSystem.folder(of: storePath)
        var names: Set<String> = []
        for name in OperatingSystem.names(inFolder: folder) where name != store.lastPathComponent {
            let path = folder + "/" + name
            guard URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent == base,
                case .file(let size) = OperatingSystem.plainKind(at: path), size > 0
            else { continue }
            guard let head = try? SQLiteFileCheck.firstBytes(of: path, count: 16) else { return nil }
            guard head.elementsEqual(FileContents.databaseHeader) else { continue }
            do {
                names.formUnion(try SQLiteStoreFile.withReader(at: path) { try Self.fileNames(on: $0) })
            } catch {
                return nil
            }
        }
        return names
    }

    /// Removes files that a store has named, or was going to name, unless a row of it names them now, or a transaction
    /// that is running is going to. Call it inside of a write transaction of the store's database.
    ///
    /// - Parameter own: the caller's journals.
    func remove(
        _ names: some Sequence<String>, unlessNamedOn connection: SQLiteConnection, own: [SQLiteExternalJournal] = []
    ) throws {
        let names = Set(names)
        guard !names.isEmpty else { return }
        let named = try Self.fileNames(on: connection)
        let pending = SQLiteExternalJournal.pendingNames(of: self, except: own)
        for name in names.subtracting(named).subtracting(pending) { try? remove(file: name) }
    }
}
