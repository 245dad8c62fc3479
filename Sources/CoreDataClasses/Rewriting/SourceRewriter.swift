/// Makes a copy of a source that a compiler without Objective-C accepts, line for line.
///
/// Attributes of Objective-C go; `#keyPath` and `#selector` become strings; properties and methods with `@NSManaged`
/// get their bodies in place, so that lines keep their numbers; initializers that the framework requires say so.
struct SourceRewriter {
    let file: FileDeclarations
    let resolver: TypeResolver
    private var edits: [(range: Range<Int>, text: String)] = []
    private(set) var diagnostics: [SourceDiagnostic]
    /// Where the last removed attribute ends: what is in it needs no rewriting.
    private var removedEnd = 0

    var source: LexedSource { file.source }

    init(_ file: FileDeclarations, resolver: TypeResolver) {
        self.file = file
        self.resolver = resolver
        diagnostics = file.diagnostics
    }

    mutating func replace(_ range: Range<Int>, _ text: String) { edits.append((range, text)) }

    mutating func refuse(at offset: Int, _ message: String) {
        diagnostics.append(source.diagnostic(at: offset, message))
    }

    /// The text of the copy; it says to the compiler where the original lies.
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
            // What lies in a replaced piece is gone with it.
            guard edit.range.lowerBound >= position else { continue }
            result += source.bytes[position..<edit.range.lowerBound]
            result += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        result += source.bytes[position...]
        if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Removes a piece and the spaces behind it.
    mutating func remove(_ range: Range<Int>) {
        var end = range.upperBound
        while end < source.bytes.count,
            source.bytes[end] == UInt8(ascii: " ") || source.bytes[end] == UInt8(ascii: "\t")
        { end += 1 }
        replace(range.lowerBound..<end, lineBreaks(in: range))
    }

    /// The line breaks of a piece, which its replacement keeps.
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

    /// `request as! NSFetchRequest<NSFetchRequestResult>` fails always, and is not needed here.
    private mutating func rewriteCast(at index: Int) {
        var place = index + 1
        for text in ["!", "NSFetchRequest", "<"] as [StaticString] {
            guard isWritten(text, at: place) else { return }
            place += 1
        }
        if isWritten("any", at: place) { place += 1 }
        guard isWritten("NSFetchRequestResult", at: place), isWritten(">", at: place + 1) else { return }
        let range = source.tokens[index].start..<source.tokens[place + 1].end
        replace(range, lineBreaks(in: range))
    }

    // MARK: Initializers

    /// Adds `required` where the framework's initializer is.
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
        // What is required is as visible as its class.
        for mark in initializer.marks where mark.name == "private" || mark.name == "fileprivate" { remove(mark.range) }
    }
}
