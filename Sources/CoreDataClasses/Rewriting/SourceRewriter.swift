/// Makes a copy of a source, with the same lines, that a compiler without Objective-C accepts.
///
/// It removes attributes of Objective-C, replaces `#keyPath` and `#selector` by strings, adds bodies to `@NSManaged`
/// properties and methods in the lines of their declarations, and adds `required` to initializers that the framework
/// requires.
struct SourceRewriter {
    let file: FileDeclarations
    let resolver: TypeResolver
    private var edits: [(range: Range<Int>, text: String)] = []
    private(set) var diagnostics: [SourceDiagnostic]
    /// The end of the last removed attribute: its contents aren't rewritten.
    private var removedEnd = 0

    var source: LexedSource { file.source }

    init(_ file: FileDeclarations, resolver: TypeResolver) {
        self.file = file
        self.resolver = resolver
        diagnostics = file.diagnostics
    }

    mutating func replace(_ range: Range<Int>, _ text: String) { edits.append((range, text)) }

    mutating func diagnose(at offset: Int, _ message: String) {
        diagnostics.append(source.diagnostic(at: offset, message))
    }

    /// The text of the copy. A `#sourceLocation` gives the compiler the path of the original.
    mutating func text() -> String {
        rewriteTokens()
        for declaration in file.variables { expand(declaration) }
        for function in file.functions { expand(function) }
        for initializer in file.initializers { require(initializer) }
        let isMarked = source.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        return "#sourceLocation(file: \(SwiftName.literal(source.source.path)), line: 1)\n"
            + edited(from: isMarked ? 3 : 0)
    }

    private func edited(from start: Int) -> String {
        var result: [UInt8] = []
        var position = start
        for edit in edits.sorted(by: {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }) {
            // A change inside of a replaced range is dropped.
            guard edit.range.lowerBound >= position else { continue }
            result += source.bytes[position..<edit.range.lowerBound]
            result += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        result += source.bytes[position...]
        if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Removes a range and the spaces after it.
    mutating func remove(_ range: Range<Int>) {
        var end = range.upperBound
        while end < source.bytes.count,
            source.bytes[end] == UInt8(ascii: " ") || source.bytes[end] == UInt8(ascii: "\t")
        { end += 1 }
        replace(range.lowerBound..<end, lineBreaks(in: range))
    }

    /// The line breaks in a range, which its replacement must contain.
    func lineBreaks(in range: Range<Int>) -> String {
        String(repeating: "\n", count: source.bytes[range].count { $0 == UInt8(ascii: "\n") })
    }

    // MARK: Tokens

    private mutating func rewriteTokens() {
        let tokens = source.tokens
        for index in tokens.indices where tokens[index].start >= removedEnd {
            let token = tokens[index]
            switch token.kind {
            case .punctuation where source.isWritten(token, "@"): rewriteAttribute(at: index)
            case .pound where source.isWritten(token, "#keyPath"): rewriteKeyPath(at: index)
            case .pound where source.isWritten(token, "#selector"): rewriteSelector(at: index)
            case .identifier where source.isWritten(token, "as"): rewriteCast(at: index)
            default: break
            }
        }
    }

    func isWritten(_ text: StaticString, at index: Int) -> Bool {
        index < source.tokens.count && source.isWritten(source.tokens[index], text)
    }

    private mutating func rewriteAttribute(at index: Int) {
        guard isWritten("objc", at: index + 1) || isWritten("objcMembers", at: index + 1) else { return }
        var end = index + 2
        if isWritten("(", at: end), !source.tokens[end].followsSpace { end = source.endOfBalanced(from: end) }
        removedEnd = source.tokens[end - 1].end
        remove(source.tokens[index].start..<removedEnd)
    }

    /// Removes the cast `as! NSFetchRequest<NSFetchRequestResult>`, which always fails and isn't needed on Linux.
    private mutating func rewriteCast(at index: Int) {
        var position = index + 1
        for text in ["!", "NSFetchRequest", "<"] as [StaticString] {
            guard isWritten(text, at: position) else { return }
            position += 1
        }
        if isWritten("any", at: position) { position += 1 }
        guard isWritten("NSFetchRequestResult", at: position), isWritten(">", at: position + 1) else { return }
        let range = source.tokens[index].start..<source.tokens[position + 1].end
        replace(range, lineBreaks(in: range))
    }

    // MARK: Initializers

    /// Adds `required` to an initializer that is required in the framework.
    private mutating func require(_ initializer: DeclaredInitializer) {
        let isDesignated = initializer.labels == ["entity", "insertInto"]
        let isOfContext =
            initializer.labels == ["context"] && initializer.typeTexts[0].hasSuffix("NSManagedObjectContext")
        guard isDesignated || isOfContext else { return }
        let overriding = initializer.marks.first { $0.name == "override" }
        let isRequired = initializer.marks.contains { $0.name == "required" }
        guard overriding != nil || isOfContext else { return }
        if isRequired {
            if let overriding { remove(overriding.range) }
            return
        }
        if let overriding {
            replace(overriding.range, "required")
        } else {
            replace(initializer.keywordOffset..<initializer.keywordOffset, "required ")
        }
        // A required initializer must be as accessible as its class.
        for mark in initializer.marks where mark.name == "private" || mark.name == "fileprivate" { remove(mark.range) }
    }
}
