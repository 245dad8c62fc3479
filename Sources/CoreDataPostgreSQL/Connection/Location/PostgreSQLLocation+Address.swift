// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

extension PostgreSQLLocation {
    /// The hosts, ports, database and schema: two URLs of one store have them in common. Missing items come from
    /// libpq's defaults.
    var address: String {
        let defaults = Self.defaults
        func item(_ key: String) -> String? { (items[key] ?? defaults[key]).flatMap { $0.isEmpty ? nil : $0 } }
        let user = item("user") ?? ""
        let hosts = (item("hostaddr") ?? item("host") ?? "").lowercased().split(
            separator: ",", omittingEmptySubsequences: false)
        var ports = (item("port") ?? "5432").split(separator: ",", omittingEmptySubsequences: false)
        if ports.count == 1 { ports = Array(repeating: ports[0], count: max(hosts.count, 1)) }
        let places = hosts.isEmpty ? [":\(ports[0])"] : zip(hosts, ports).map { "\($0):\($1)" }
        let database = item("dbname") ?? user
        return [item("service") ?? "", places.joined(separator: ","), database, schema].joined(separator: "\n")
    }

    /// The defaults of libpq's items, which the environment of the process may set.
    private static var defaults: [String: String] {
        guard let options = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(options) }
        var result: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { result[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return result
    }

    /// The URL of the schema that a URL and the options of a store name together.
    package static func url(_ url: URL, options: [AnyHashable: Any]?) -> URL {
        guard let schema = options?[NSPostgreSQLSchemaOption] as? String,
            let encoded = schema.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { return url }
        let text = url.absoluteString
        let base = text.prefix { $0 != "?" && $0 != "#" }
        let query = text.dropFirst(base.count).prefix { $0 != "#" }.dropFirst()
        let items = query.split(separator: "&").filter { $0.prefix { $0 != "=" }.removingPercentEncoding != "schema" }
        let parts = items.map(String.init) + ["schema=\(encoded)"]
        return URL(string: "\(base)?\(parts.joined(separator: "&"))") ?? url
    }
}
