// SPDX-License-Identifier: Apache-2.0

/// The parts of a URL of PostgreSQL.
///
/// It is taken apart here, since `URLComponents` knows neither several hosts nor a socket's folder as the host, and
/// since libpq's messages about a wrong URL quote its parts.
struct PostgreSQLURL {
    /// The items of the connection, in libpq's words, and the items of the store.
    private(set) var items: [String: String] = [:]
    /// The URL without passwords.
    let publicURL: URL

    static let secretKeys = ["password", "sslpassword"]

    init(_ url: URL) throws {
        let text = url.absoluteString
        guard let scheme = url.scheme?.lowercased(), PostgreSQLLocation.schemes.contains(scheme) else {
            let name = url.scheme.map { "the scheme \u{201c}\($0)\u{201d}" } ?? "no scheme"
            throw CoreDataErrors.error(
                NSPersistentStoreInvalidTypeError, "The store couldn\u{2019}t be opened.",
                reason: "The URL has \(name).", suggestion: "A URL of PostgreSQL starts with postgresql://.")
        }
        guard let start = text.range(of: "://") else {
            throw PostgreSQLError.opening(nil, reason: "The URL doesn\u{2019}t start with postgresql://.")
        }
        let rest = text[start.upperBound...].prefix { $0 != "#" }
        let query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] }
        let beforeQuery = rest.prefix { $0 != "?" }
        // A password may have a slash that isn't encoded; then the URL has a second "@" or a wrong port.
        let authority = beforeQuery.prefix { $0 != "/" }
        let path = beforeQuery.dropFirst(authority.count)
        let at = authority.lastIndex(of: "@")
        let user = at.map { authority[..<$0] }
        let hosts = at.map { authority[authority.index(after: $0)...] } ?? authority

        publicURL = try Self.withoutPasswords(scheme: scheme, user: user, hosts: hosts, path: path, query: query)
        do {
            try readUser(user)
            try readHosts(hosts)
            if path.count > 1 { items["dbname"] = try Self.decoded(path.dropFirst(), "database") }
            try readQuery(query)
        } catch let defect as Defect {
            throw PostgreSQLError.opening(publicURL, reason: defect.reason)
        }
    }

    private struct Defect: Error { let reason: String }

    private mutating func readUser(_ user: Substring?) throws {
        guard let user else { return }
        let colon = user.firstIndex(of: ":")
        let name = user[..<(colon ?? user.endIndex)]
        if !name.isEmpty { items["user"] = try Self.decoded(name, "user") }
        if let colon { items["password"] = try Self.decoded(user[user.index(after: colon)...], "password") }
    }

    private mutating func readHosts(_ text: Substring) throws {
        guard !text.isEmpty else { return }
        var hosts: [String] = []
        var ports: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var host = part
            var port: Substring = ""
            if part.hasPrefix("[") {
                guard let end = part.firstIndex(of: "]") else {
                    throw Defect(reason: "The address of a host of the URL has no closing bracket.")
                }
                host = part[part.index(after: part.startIndex)..<end]
                port = part[part.index(after: end)...]
                guard port.isEmpty || port.hasPrefix(":") else {
                    throw Defect(reason: "After the address of a host of the URL stands no port.")
                }
                port = port.dropFirst()
            } else if let colon = part.lastIndex(of: ":") {
                host = part[..<colon]
                port = part[part.index(after: colon)...]
            }
            hosts.append(try Self.decoded(host, "host"))
            ports.append(try Self.checkedPort(String(port)))
        }
        items["host"] = hosts.joined(separator: ",")
        if ports.contains(where: { !$0.isEmpty }) { items["port"] = ports.joined(separator: ",") }
    }

    private mutating func readQuery(_ query: Substring?) throws {
        guard let query else { return }
        for part in query.split(separator: "&") {
            guard let equals = part.firstIndex(of: "=") else {
                throw Defect(reason: "An item of the query of the URL has no value.")
            }
            let key = try Self.decoded(part[..<equals], "query")
            let value = try Self.decoded(part[part.index(after: equals)...], "item \(key)")
            if key == "port" {
                for port in value.split(separator: ",") { _ = try Self.checkedPort(String(port)) }
            }
            guard items[key] == nil || !PostgreSQLLocation.ownItems.contains(key) else {
                throw Defect(reason: "The URL has the item \(key) twice.")
            }
            items[key] = value
        }
    }

    private static func checkedPort(_ text: String) throws -> String {
        // The value isn't quoted: it may be a part of a password that isn't encoded.
        guard text.isEmpty || (UInt16(text) ?? 0) > 0 else {
            throw Defect(reason: "The port of the URL is no number from 1 to 65535.")
        }
        return text
    }

    private static func decoded(_ text: Substring, _ part: String) throws -> String {
        guard let result = String(text).removingPercentEncoding, !result.utf8.contains(0) else {
            throw Defect(reason: "The \(part) of the URL is wrongly percent-encoded.")
        }
        return result
    }

    private static func withoutPasswords(
        scheme: String, user: Substring?, hosts: Substring, path: Substring, query: Substring?
    ) throws -> URL {
        var text = scheme + "://"
        if let name = user?.prefix(while: { $0 != ":" }), !name.isEmpty { text += name + "@" }
        text += hosts + path
        let publicItems = query?.split(separator: "&").filter { item in
            let key = item.prefix { $0 != "=" }
            // A name that can't be decoded may be the name of a password.
            guard let name = String(key).removingPercentEncoding else { return false }
            return !secretKeys.contains(name.lowercased())
        }
        if let publicItems, !publicItems.isEmpty { text += "?" + publicItems.joined(separator: "&") }
        guard let url = URL(string: text) else {
            throw PostgreSQLError.opening(nil, reason: "The hosts of the URL can\u{2019}t be read.")
        }
        return url
    }
}
