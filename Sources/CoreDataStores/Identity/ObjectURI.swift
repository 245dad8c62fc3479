// SPDX-License-Identifier: Apache-2.0

/// The parts of the URI of a permanent ID: `x-coredata://STORE/ENTITY/pREFERENCE`.
package struct ObjectURI {
    /// The UUID of the store, in small or capital letters.
    package let store: String
    package let entity: String
    /// The key, or the text of the reference object.
    package let reference: String

    /// - Returns: nil for a URL that isn't such a URI.
    package init?(_ url: URL) {
        if let parts = Self.plainParts(url.absoluteString) {
            (store, entity, reference) = (String(parts[0]), String(parts[1]), String(parts[2].dropFirst()))
            return
        }
        guard url.scheme == "x-coredata", let host = url.host else { return nil }
        // A reference object's text may contain an escaped slash.
        let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? url.path
        let parts = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        guard parts.count == 2, parts[1].hasPrefix("p") else { return nil }
        (store, entity, reference) = (host, parts[0], String(parts[1].dropFirst()))
    }

    /// The parts of a URI in which nothing is escaped, as IDs of most models have it; nil for another URL, which a
    /// parser takes apart.
    private static func plainParts(_ text: String) -> [Substring]? {
        let start = "x-coredata://"
        guard text.utf8.starts(with: start.utf8) else { return nil }
        let parts = text.utf8.dropFirst(start.utf8.count).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPlain) }),
            parts[2].first == UInt8(ascii: "p")
        else { return nil }
        return parts.map { Substring($0) }
    }

    /// The name of an entity in a path. A slash of the name doesn't separate the path's parts.
    static func escaped(_ name: String) -> String {
        name.utf8.allSatisfy(isPlain) ? name : name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
    }

    private static let allowed = CharacterSet.urlPathAllowed.subtracting(["/"])

    /// Whether a byte stands for itself in each part of a URI.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
