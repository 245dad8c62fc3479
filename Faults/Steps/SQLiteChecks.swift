import OpenCoreData

/// The conditions that hold in each SQLite store, whatever its rows are.
enum SQLiteChecks {
    /// Checks a closed store.
    ///
    /// - Parameter allowsRemainders: whether files of external data, or a journal of them, may be left that no row
    ///   needs.
    static func check(_ url: URL, allowsRemainders: Bool = false) throws {
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
        let integrity = try connection.pragma("integrity_check")
        try expect(integrity == "ok", "integrity_check says: \(integrity ?? "nothing")")
        let dangling = try connection.integer(
            "SELECT COUNT(*) FROM ZROW WHERE ZGROUP IS NOT NULL AND ZGROUP NOT IN (SELECT Z_PK FROM ZGROUP)")
        try expect(dangling == 0, "\(dangling ?? -1) rows refer to groups that are gone")
        for (entity, table) in [("Row", "ZROW"), ("Group", "ZGROUP"), ("Counter", "ZCOUNTER")] {
            let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(table)") ?? 0
            let reserved = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.text(entity)])
            try expect(
                highest <= reserved ?? 0, "a key of \(entity) is \(highest), but the next one is above \(reserved ?? 0)"
            )
        }
        try checkFiles(url, connection, allowsRemainders)
    }

    /// Checks that the folder of external data has exactly the files that rows name.
    private static func checkFiles(_ url: URL, _ connection: SQLiteConnection, _ allowsRemainders: Bool) throws {
        let data = SQLiteExternalData(storePath: url.path)
        var named: Set<String> = []
        let statement = try connection.statement("SELECT ZIMAGE FROM ZROW WHERE ZIMAGE IS NOT NULL")
        defer { statement.reset() }
        while try statement.step() {
            if let column = statement.data(at: 0), let name = SQLiteExternalData.fileName(in: column) {
                named.insert(name)
            }
        }
        let files = Set((try? FileManager.default.contentsOfDirectory(atPath: data.dataFolder)) ?? [])
        try expect(named.isSubset(of: files), "\(named.subtracting(files).count) files of external data are missing")
        if allowsRemainders { return }
        try expect(files.isSubset(of: named), "\(files.subtracting(named).count) files of external data are orphans")
        let support = (try? FileManager.default.contentsOfDirectory(atPath: data.supportFolder)) ?? []
        try expect(
            support.allSatisfy { $0 == "_EXTERNAL_DATA" }, "the journal of an ended process remains: \(support)")
    }
}
