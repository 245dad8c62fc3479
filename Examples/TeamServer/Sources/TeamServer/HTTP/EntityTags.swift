/// The entity tags of a header `If-Match` or `If-None-Match`.
enum EntityTags: Equatable, Sendable {
    /// `*`: any version.
    case any
    /// The tags with their quotes, without the sign of weak ones.
    case list([String])

    /// Nil for a text of another form.
    ///
    /// - Parameters:
    ///   - text: the value of the header.
    ///   - allowsWeak: whether there may be weak tags, `W/"1"`. `If-Match` compares strong ones only.
    init?(_ text: String, allowsWeak: Bool) {
        var rest = Substring(text).drop { $0 == " " }
        if rest == "*" {
            self = .any
            return
        }
        var tags: [String] = []
        while !rest.isEmpty {
            if rest.hasPrefix("W/") {
                guard allowsWeak else { return nil }
                rest = rest.dropFirst(2)
            }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            tags.append(String(rest[...end]))
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
            guard let next = rest.first else { break }
            guard next == "," else { return nil }
            rest = rest.dropFirst().drop { $0 == " " }
        }
        guard !tags.isEmpty else { return nil }
        self = .list(tags)
    }

    /// Whether a tag is one of these.
    func contains(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains(tag)
        }
    }
}
