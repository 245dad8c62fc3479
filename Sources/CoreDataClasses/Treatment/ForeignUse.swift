// SPDX-License-Identifier: Apache-2.0

/// A use of a feature that Swift has only on Apple's platforms. The kinds of such uses are listed here, and found here.
///
/// `SourceTreatments` decides by them how a source is treated. `SourceRewriter` translates them.
struct ForeignUse {
    enum Kind: Equatable {
        /// `@objc`, `@objc(Name)`, `@objcMembers`.
        case attribute
        /// `#keyPath(…)`.
        case keyPath
        /// `#selector(…)`.
        case selector
        /// A name that Foundation has on Apple's platforms, with the module before it: `Foundation.ValueTransformer`.
        case foundationName
        /// `as! NSFetchRequest<Song>`, `as?` and `is`. The compiler accepts them without a warning.
        case requestCast
        /// `case let request as NSFetchRequest<Song>` and `case is`. The compiler accepts them, too.
        case requestPattern
        /// A cast to `NSFetchedResultsController<Song>`, or a pattern with it.
        case controllerCast

        /// Whether the compiler on Linux refuses the use. The compiler accepts the other uses, and they fail at run
        /// time.
        var isRefused: Bool {
            switch self {
            case .attribute, .keyPath, .selector, .foundationName: true
            case .requestCast, .requestPattern, .controllerCast: false
            }
        }
    }

    let kind: Kind
    /// The index of its first token; of `as` or `is` for a cast.
    let index: Int
    /// Whether it is inside of `#if`: a condition may leave it out on Linux.
    let isConditional: Bool
}

extension ForeignUse {
    /// The way to have a source translated.
    static let exclusion = "list the file under 'exclude:' of its target in Package.swift, so that a copy is compiled"

    /// The consequence of a use on Linux, and the remedy in the source itself; nil if only a copy helps.
    func explanation(in source: LexedSource) -> (problem: String, remedy: String?) {
        switch kind {
        case .attribute: ("the compiler on Linux refuses @\(source.text(source.tokens[index + 1]))", nil)
        case .keyPath, .selector: ("the compiler on Linux refuses \(source.text(source.tokens[index]))", nil)
        case .foundationName:
            (
                "Foundation on Linux has no \(source.text(source.tokens[index + 2]))",
                "write the name without its module"
            )
        case .requestCast:
            (
                """
                this cast fails on Linux for a request of another result type, since the two are of different classes
                """, "call cast(_:) of NSFetchRequest<…>"
            )
        case .requestPattern:
            (
                """
                this pattern doesn't match on Linux for a request of another result type, since the two are of \
                different classes
                """, "write 'if let request = NSFetchRequest<…>.cast(value)'"
            )
        case .controllerCast:
            (
                """
                this cast fails on Linux, where fetched results controllers of different result types are of different \
                classes
                """, "compare controllers by ===, and use the one that you keep"
            )
        }
    }
}

extension LexedSource {
    /// The uses in the source, in their order.
    func foreignUses() -> [ForeignUse] {
        var uses: [ForeignUse] = []
        var depth = 0
        for (index, token) in tokens.enumerated() {
            if token.kind == .pound {
                if isWritten(token, "#if") { depth += 1 }
                if isWritten(token, "#endif") { depth -= 1 }
            }
            guard let kind = foreignKind(at: index) else { continue }
            uses.append(ForeignUse(kind: kind, index: index, isConditional: depth > 0))
        }
        return uses
    }

    private func foreignKind(at index: Int) -> ForeignUse.Kind? {
        let token = tokens[index]
        switch token.kind {
        case .punctuation where isWritten("@", at: index):
            return isWritten("objc", at: index + 1) || isWritten("objcMembers", at: index + 1) ? .attribute : nil
        case .pound where isWritten(token, "#keyPath"): return .keyPath
        case .pound where isWritten(token, "#selector"): return .selector
        case .identifier where isWritten(token, "as") || isWritten(token, "is"): return castKind(at: index)
        case .identifier where isWritten(token, "Foundation"):
            let isImport = index > 1 && isWritten("import", at: index - 2)
            guard isWritten(".", at: index + 1), index + 2 < tokens.count, !isImport else { return nil }
            return FoundationNames.missing.contains(text(tokens[index + 2])) ? .foundationName : nil
        default: return nil
        }
    }

    private func castKind(at index: Int) -> ForeignUse.Kind? {
        guard let type = castType(at: index), index > 0 else { return nil }
        if isWritten("NSFetchedResultsController", at: type) {
            return isUpcast(at: index) ? nil : .controllerCast
        }
        guard isWritten("NSFetchRequest", at: type) else { return nil }
        if isPattern(at: index) { return .requestPattern }
        return isUpcast(at: index) ? nil : .requestCast
    }

    /// The index of the type's name after `as`, `as!`, `as?` or `is`, if the type is generic.
    func castType(at index: Int) -> Int? {
        var type = index + 1
        if isWritten("as", at: index), isWritten("!", at: type) || isWritten("?", at: type) { type += 1 }
        if isWritten("CoreData", at: type), isWritten(".", at: type + 1) { type += 2 }
        return isWritten("<", at: type + 1) ? type : nil
    }

    /// Whether the cast is `value as Type`, which the compiler checks.
    private func isUpcast(at index: Int) -> Bool {
        isWritten("as", at: index) && !isWritten("!", at: index + 1) && !isWritten("?", at: index + 1)
            && !isPattern(at: index)
    }

    /// Whether the cast is a pattern: `case is Type`, `case let name as Type`.
    private func isPattern(at index: Int) -> Bool {
        if isWritten("is", at: index) { return index > 0 && isWritten("case", at: index - 1) }
        return index > 2 && isWritten("case", at: index - 3)
            && (isWritten("let", at: index - 2) || isWritten("var", at: index - 2))
    }

    func isWritten(_ text: StaticString, at index: Int) -> Bool {
        tokens.indices.contains(index) && isWritten(tokens[index], text)
    }
}
