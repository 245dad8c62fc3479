extension PostgreSQLFailure {
    /// Takes the numbers of shards out of the names: a worker of Citus adds them to the names of tables and indexes.
    mutating func removeShardNumbers() {
        func plain(_ name: String?) -> String? { name.map(Self.withoutShardNumber) }
        for name in [constraint, table].compactMap({ $0 }) {
            let plain = Self.withoutShardNumber(name)
            guard plain != name else { continue }
            message = message.replacingOccurrences(of: "\"\(name)\"", with: "\"\(plain)\"")
            detail = detail?.replacingOccurrences(of: "\"\(name)\"", with: "\"\(plain)\"")
        }
        constraint = plain(constraint)
        table = plain(table)
    }

    /// The smallest number of a shard has six digits.
    private static func withoutShardNumber(_ name: String) -> String {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard digits >= 6, digits + 1 < name.count, name.dropLast(digits).last == "_" else { return name }
        return String(name.dropLast(digits + 1))
    }

    /// Whether Citus refuses a trigger.
    var isRefusedTrigger: Bool {
        sqlState == "XX000"
            && (message.contains("triggers are not supported on distributed tables")
                || message.contains("because it has triggers"))
    }
}
