extension SourceRewriter {
    // MARK: Key paths

    /// `#keyPath(Song.artist.name)` becomes `"artist.name"`.
    mutating func rewriteKeyPath(at index: Int) {
        guard let inner = arguments(at: index) else { return }
        var names: [String] = []
        for position in inner {
            let token = source.tokens[position]
            if position % 2 == inner.lowerBound % 2, token.kind == .identifier || token.kind == .quotedIdentifier {
                names.append(source.name(token))
            } else if !(position % 2 != inner.lowerBound % 2 && source.isWritten(token, ".")) {
                return diagnose(at: token.start, "this #keyPath can't be read: write the key path as a string")
            }
        }
        guard !names.isEmpty else { return diagnose(at: source.tokens[index].start, "an empty #keyPath") }
        var typePath: [String] = []
        while names.count > 1, isType(typePath + [names[0]]) { typePath.append(names.removeFirst()) }
        names[0] = objectiveCName(of: names[0], in: typePath.last)
        replaceExpression(at: index, inner, with: SwiftName.literal(names.joined(separator: ".")))
    }

    /// The tokens in the parentheses after `#keyPath` or `#selector`.
    private func arguments(at index: Int) -> Range<Int>? {
        guard isWritten("(", at: index + 1) else { return nil }
        let end = source.endOfBalanced(from: index + 1)
        return end - 1 >= index + 2 && isWritten(")", at: end - 1) ? index + 2..<end - 1 : nil
    }

    private mutating func replaceExpression(at index: Int, _ inner: Range<Int>, with text: String) {
        let range = source.tokens[index].start..<source.tokens[inner.upperBound].end
        replace(range, text + lineBreaks(in: range))
    }

    /// Whether a dotted name at the beginning of a key path is the name of a type.
    private func isType(_ path: [String]) -> Bool {
        let viewpoint = TypeResolver.Viewpoint(index: resolver.own, source: source, scope: [])
        if (try? resolver.resolve(.named(path.map { TypeSyntax.Component(name: $0, arguments: []) }), from: viewpoint))
            != nil
        {
            return true
        }
        guard path.count == 1, let first = path[0].first else { return false }
        // A nested type, or a type of a module without sources: type names begin with an uppercase letter.
        return first.isUppercase
    }

    private func objectiveCName(of property: String, in type: String?) -> String {
        let members = resolver.own.files.lazy.flatMap(\.members).filter { $0.labels == nil && $0.name == property }
        return members.first { type == nil || $0.scopePath.last == type }?.objectiveCName ?? property
    }

    // MARK: Selectors

    /// `#selector(Song.play(_:))` becomes `Selector("play:")`.
    mutating func rewriteSelector(at index: Int) {
        guard var inner = arguments(at: index) else { return }
        let whole = inner
        var isSetter = false
        var isProperty = false
        if isWritten(":", at: inner.lowerBound + 1),
            isWritten("getter", at: inner.lowerBound) || isWritten("setter", at: inner.lowerBound)
        {
            isProperty = true
            isSetter = isWritten("setter", at: inner.lowerBound)
            inner = inner.lowerBound + 2..<inner.upperBound
        }
        if let cast = inner.first(where: { source.tokens[$0].kind == .identifier && isWritten("as", at: $0) }) {
            inner = inner.lowerBound..<cast
        }
        let open = inner.first { isWritten("(", at: $0) } ?? inner.upperBound
        guard open > inner.lowerBound, case let nameToken = source.tokens[open - 1],
            nameToken.kind == .identifier || nameToken.kind == .quotedIdentifier
        else {
            return diagnose(at: source.tokens[index].start, "this #selector can't be read: write it as Selector(\"…\")")
        }
        let name = source.name(nameToken)
        let selector: String
        if isProperty {
            let key = objectiveCName(of: name, in: nil)
            selector = isSetter ? "set\(key.prefix(1).uppercased())\(key.dropFirst()):" : key
        } else {
            selector = SelectorName.text(
                name, labels: open < inner.upperBound ? labels(open + 1..<inner.upperBound) : nil,
                members: resolver.own.files.flatMap(\.members))
        }
        replaceExpression(at: index, whole, with: "Selector(\(SwiftName.literal(selector)))")
    }

    private func labels(_ range: Range<Int>) -> [String?] {
        range.filter { isWritten(":", at: $0 + 1) }.map { source.tokens[$0] }.map {
            isWildcard($0) ? nil : source.name($0)
        }
    }

    private func isWildcard(_ token: SwiftToken) -> Bool { source.isWritten(token, "_") }
}

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
    static func text(_ name: String, labels: [String?]?, members: [NamedMember]) -> String {
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
