// SPDX-License-Identifier: Apache-2.0

/// The Objective-C name of a Swift method.
enum SelectorName {
    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given", "in", "including", "inside",
        "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until", "using", "via", "when", "with",
        "within",
    ]

    /// - Parameters:
    ///   - labels: the argument labels; nil if the method is named without them.
    ///   - members: the members of the module, which may have names in `@objc(name)`.
    static func text(_ name: String, labels: [String?]?, members: [DeclaredMember]) -> String {
        let candidates = members.filter {
            $0.name == name && $0.labels != nil && (labels == nil || $0.labels! == labels!)
        }
        if let explicit = candidates.lazy.compactMap(\.objectiveCName).first { return explicit }
        let labels = labels ?? candidates.first?.labels ?? []
        guard let first = labels.first else { return name }
        var result = name
        if let first {
            let isJoined = prepositions.contains(firstWord(first)) || prepositions.contains(lastWord(name))
            result += (isJoined ? "" : "With") + first.prefix(1).uppercased() + first.dropFirst()
        }
        result += ":"
        for label in labels.dropFirst() { result += (label ?? "") + ":" }
        return result
    }

    private static func firstWord(_ name: String) -> String { String(name.prefix { !$0.isUppercase }) }

    private static func lastWord(_ name: String) -> String {
        guard let start = name.lastIndex(where: \.isUppercase) else { return name }
        return name[start...].lowercased()
    }
}
