// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLFailure {
    /// Takes the numbers of shards out of the names: a worker of Citus adds them to the names of tables and indexes.
    mutating func removeShardNumbers() {
        // The coordinator passes the message on, but not the names beside it.
        var first: String?
        message = message.replacing(#/"([^"]+)"/#) { match in
            let name = Self.withoutShardNumber(String(match.output.1))
            if name != match.output.1, first == nil { first = name }
            return "\"\(name)\""
        }
        constraint = constraint.map(Self.withoutShardNumber) ?? (isUniqueViolation ? first : nil)
        table = table.map(Self.withoutShardNumber)
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
