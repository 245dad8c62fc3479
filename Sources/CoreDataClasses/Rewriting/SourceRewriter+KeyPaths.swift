// SPDX-License-Identifier: Apache-2.0

extension SourceRewriter {
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
    func arguments(at index: Int) -> Range<Int>? {
        guard isWritten("(", at: index + 1) else { return nil }
        let end = source.endOfBalanced(from: index + 1)
        return end - 1 >= index + 2 && isWritten(")", at: end - 1) ? index + 2..<end - 1 : nil
    }

    mutating func replaceExpression(at index: Int, _ inner: Range<Int>, with text: String) {
        let range = source.tokens[index].start..<source.tokens[inner.upperBound].end
        replace(range, text + lineBreaks(in: range))
    }

    /// Whether a dotted name at the beginning of a key path is the name of a type.
    func isType(_ path: [String]) -> Bool {
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

    func objectiveCName(of property: String, in type: String?) -> String {
        let members = resolver.own.files.lazy.flatMap(\.members).filter { $0.labels == nil && $0.name == property }
        return members.first { type == nil || $0.scope.path.last == type }?.objectiveCName ?? property
    }
}
