// SPDX-License-Identifier: Apache-2.0

extension SourceRewriter {
    /// `#selector(play(_:))` in a class `Player` becomes a `Selector` with the name `play:` and a closure that calls
    /// the method. A selector of a method that the module doesn't declare has the name only.
    mutating func rewriteSelector(at index: Int) {
        guard var inner = arguments(at: index) else { return }
        let whole = inner
        var accessor: StaticString?
        if isWritten(":", at: inner.lowerBound + 1), isWritten("getter", at: inner.lowerBound) {
            accessor = "getter"
        } else if isWritten(":", at: inner.lowerBound + 1), isWritten("setter", at: inner.lowerBound) {
            accessor = "setter"
        }
        if accessor != nil { inner = inner.lowerBound + 2..<inner.upperBound }
        if let cast = inner.first(where: { source.tokens[$0].kind == .identifier && isWritten("as", at: $0) }) {
            inner = inner.lowerBound..<cast
        }
        let open = inner.first { isWritten("(", at: $0) } ?? inner.upperBound
        guard open > inner.lowerBound, case let nameToken = source.tokens[open - 1],
            nameToken.kind == .identifier || nameToken.kind == .quotedIdentifier
        else {
            return diagnose(at: source.tokens[index].start, "this #selector can't be read: write it as Selector(\"…\")")
        }
        usesFramework = true
        let name = source.name(nameToken)
        if let accessor {
            let key = objectiveCName(of: name, in: nil)
            let isSetter = accessor.description == "setter"
            let selector = isSetter ? "set\(key.prefix(1).uppercased())\(key.dropFirst()):" : key
            return replaceExpression(at: index, whole, with: "Selector(\(SwiftName.literal(selector)))")
        }
        let labels = open < inner.upperBound ? labels(open + 1..<inner.upperBound) : nil
        let literal = SwiftName.literal(
            SelectorName.text(name, labels: labels, members: resolver.own.files.flatMap(\.members)))
        let base = source.text(ofTokens: inner.lowerBound..<max(inner.lowerBound, open - 2))
        let call = method(name, labels: labels, base: base, at: source.tokens[index].start).flatMap(call)
        replaceExpression(at: index, whole, with: call.map { "Selector(\(literal), \($0))" } ?? "Selector(\(literal))")
    }

    private func labels(_ range: Range<Int>) -> [String?] {
        range.filter { isWritten(":", at: $0 + 1) }.map { source.tokens[$0] }.map {
            source.isWritten($0, "_") ? nil : source.name($0)
        }
    }

    /// The declaration of a method that a `#selector` names.
    ///
    /// - Parameter base: what is before the name: empty, `self`, a type, or an expression.
    private func method(_ name: String, labels: [String?]?, base: String, at offset: Int) -> DeclaredMember? {
        let candidates = resolver.own.files.lazy.flatMap(\.members).filter { member in
            guard let method = member.method else { return false }
            return member.name == name && member.scope.isClassOrExtension && !member.isTypeMember
                && (labels == nil || method.labels == labels!)
        }
        let isImplicit = base.isEmpty || base == "self" || base == "Self"
        let path = isImplicit ? file.scope(at: offset)?.path : base.split(separator: ".").map(String.init)
        if let own = candidates.first(where: { $0.scope.path == path }) { return own }
        // A method of a superclass, or of the type of an expression.
        let visible = candidates.filter { !$0.access.isPrivate }
        return visible.count == 1 ? visible.first : nil
    }

    /// A closure that calls a method with at most one parameter. `file` must be able to name the method.
    private func call(of member: DeclaredMember) -> String? {
        guard let method = member.method, method.parameters.count < 2, !method.isAsync, !method.canThrow else {
            return nil
        }
        let target = "target: \(member.scope.path.map(SwiftName.spelled).joined(separator: "."))"
        let name = "target.\(SwiftName.spelled(member.name))"
        let result = method.returnsValue ? "_ = " : ""
        guard let parameter = method.parameters.first else {
            let body = member.isOnMainActor ? onMainActor(["target"], "\(result)\(name)()") : "\(result)\(name)()"
            return "{ (\(target)) in \(body) }"
        }
        let statement = "\(result)\(name)(\(parameter.label.map { "\($0): " } ?? "")argument)"
        let body = member.isOnMainActor ? onMainActor(["target", "argument"], statement) : statement
        return "{ (\(target), argument: \(parameter.typeText)) in \(body) }"
    }

    /// A statement on the main actor, where AppKit and UIKit would call a method that is isolated to it.
    private func onMainActor(_ names: [String], _ statement: String) -> String {
        names.map { "nonisolated(unsafe) let \($0) = \($0); " }.joined() + "MainActor.assumeIsolated { \(statement) }"
    }
}
