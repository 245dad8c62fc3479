// SPDX-License-Identifier: Apache-2.0

/// The settings of a store that libpq doesn't know: the store's own items of the URL, and the options of the store,
/// which take precedence.
///
/// The methods throw `NSPersistentStoreOpenError` for a wrong value. The error names the item or the option.
struct PostgreSQLOwnSettings {
    let publicURL: URL
    let options: [AnyHashable: Any]?
    let items: [String: String]

    func failure(_ reason: String) -> NSError { PostgreSQLError.opening(publicURL, reason: reason) }

    func number(_ key: String, _ option: String, _ standard: Double, from minimum: Double) throws -> Double {
        var result = standard
        if let given = options?[option] {
            guard let number = given as? NSNumber else { throw failure("The option \(option) is no number.") }
            result = number.doubleValue
        } else if let text = items[key] {
            guard let number = Double(text) else { throw failure("The item \(key) of the URL is no number.") }
            result = number
        }
        guard result >= minimum, result <= 1e6 else {
            throw failure("The item \(key) of the URL, or the option \(option), is out of range.")
        }
        return result
    }

    func schema() throws -> String {
        var schema = items["schema"] ?? PostgreSQLLocation.defaultSchema
        if let option = options?[NSPostgreSQLSchemaOption] {
            guard let name = option as? String else { throw failure("NSPostgreSQLSchemaOption is no string.") }
            schema = name
        }
        guard !schema.isEmpty, schema.utf8.count < 64, !schema.utf8.contains(0) else {
            throw failure("The name of the schema is empty or has more than 63 bytes.")
        }
        guard !schema.hasPrefix("pg_"), schema != "information_schema" else {
            throw failure("The schema \u{201c}\(schema)\u{201d} is one of the server\u{2019}s own.")
        }
        return schema
    }

    func hasPooler() throws -> Bool {
        if let option = options?[NSPostgreSQLPoolerOption] {
            guard let flag = option as? NSNumber else { throw failure("NSPostgreSQLPoolerOption is no number.") }
            return flag.boolValue
        }
        switch items["pooler"] {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw failure("The item pooler of the URL is neither true nor false.")
        }
    }

    func cluster() throws -> PostgreSQLCluster? {
        try items["cluster"].map { text in
            guard let cluster = PostgreSQLCluster(rawValue: text) else {
                throw failure("The item cluster of the URL is neither citus nor none.")
            }
            return cluster
        }
    }

    func listenerURL() throws -> URL? {
        guard let option = options?[NSPostgreSQLListenerURLOption] else { return nil }
        guard let url = option as? URL ?? (option as? String).flatMap({ URL(string: $0) }) else {
            throw failure("NSPostgreSQLListenerURLOption is no URL.")
        }
        return url
    }

    /// The hosts and ports of a list: `host:5432,[::1]:5433,/folder/of/a/socket`.
    func replicas() throws -> [(host: String, port: String?)] {
        guard let text = items["replicas"] else { return [] }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            guard let match = name.wholeMatch(of: /(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:]+))(?::([0-9]{1,5}))?/),
                let host = match.1 ?? match.2
            else {
                throw failure(
                    "The item replicas of the URL isn\u{2019}t a list of hosts and ports: host:5432,other:5432.")
            }
            return (String(host), match.3.map(String.init))
        }
    }
}
