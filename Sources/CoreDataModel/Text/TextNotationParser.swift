// SPDX-License-Identifier: Apache-2.0

/// Parses the text notation into source elements. Each kind of statement has a method; this file contains their shared
/// functions.
struct TextNotationParser {
    private var lexer: TextNotationLexer
    /// The next token; nil before the first one is read.
    private var upcoming: TextNotationToken?
    private var afterUpcoming: TextNotationToken?
    /// The entity and the key that are being read, for messages.
    var entityName: String?
    var key: String?

    init(bytes: [UInt8]) { lexer = TextNotationLexer(bytes: bytes) }

    // MARK: Tokens

    /// The next token, without consuming it.
    mutating func peek() throws(TextNotationError) -> TextNotationToken {
        if let upcoming { return upcoming }
        let token = try lexer.next()
        upcoming = token
        return token
    }

    /// The token after the next one, without consuming it.
    mutating func peekSecond() throws(TextNotationError) -> TextNotationToken {
        _ = try peek()
        if let afterUpcoming { return afterUpcoming }
        let token = try lexer.next()
        afterUpcoming = token
        return token
    }

    @discardableResult
    mutating func consume() throws(TextNotationError) -> TextNotationToken {
        let token = try peek()
        upcoming = afterUpcoming
        afterUpcoming = nil
        return token
    }

    /// Consumes a punctuation mark if it is next.
    mutating func consume(_ mark: Character) throws(TextNotationError) -> Bool {
        guard try peek().isMark(mark) else { return false }
        try consume()
        return true
    }

    /// Consumes a word if it is next.
    mutating func consume(word: String) throws(TextNotationError) -> Bool {
        guard let next = try peek().word, TextNotationText.normalized(next) == word else { return false }
        try consume()
        return true
    }

    mutating func expect(_ mark: Character, _ position: String) throws(TextNotationError) {
        let token = try peek()
        guard token.isMark(mark) else {
            throw problem("expected '\(mark)' \(position), found \(token.description)", at: token)
        }
        try consume()
    }

    /// Parses a name: a word or a text.
    mutating func name(_ subject: String) throws(TextNotationError) -> String {
        let token = try peek()
        guard let name = token.name else { throw problem("expected \(subject), found \(token.description)", at: token) }
        try consume()
        return name
    }

    /// Consumes a colon if one is next. An equals sign in its place is an error.
    mutating func consumeColon() throws(TextNotationError) -> Bool {
        let token = try peek()
        if token.isMark("=") { throw problem("write ':' in place of '='", at: token) }
        return try consume(":")
    }

    func problem(_ message: String, at token: TextNotationToken) -> TextNotationError {
        TextNotationError(message: message, line: token.line, column: token.column)
    }

    /// A question with the most similar keywords; all keywords if none is similar.
    func suggestion(_ word: String, _ words: [String]) -> String {
        let question = NearestNames.suggestion(for: word, in: words)
        return question.isEmpty ? "; expected one of " + words.joined(separator: ", ") : "." + question
    }

    // MARK: Statements and blocks

    /// Parses the end of a statement: a semicolon, a line break, or the end of the enclosing block.
    mutating func endStatement() throws(TextNotationError) {
        if try consume(";") {
            while try consume(";") {}
            return
        }
        let token = try peek()
        if token.startsLine || token.isMark("}") || token.kind == .end { return }
        throw problem("expected ',' and an option, ';' or a new line, found \(token.description)", at: token)
    }

    /// Whether a block follows. An equals sign before it is an error.
    mutating func hasBlock() throws(TextNotationError) -> Bool {
        let token = try peek()
        if token.isMark("=") { throw problem("write '{' without '=' before it", at: token) }
        return token.isMark("{")
    }

    /// Parses `{ statement statement … }`.
    mutating func block(of subject: String, _ statement: (inout TextNotationParser) throws(TextNotationError) -> Void)
        throws(TextNotationError)
    {
        let open = try peek()
        try expect("{", "before \(subject)")
        while !(try consume("}")) {
            if try consume(";") { continue }
            if try peek().kind == .end { throw problem("the '{' before \(subject) has no '}'", at: open) }
            try statement(&self)
        }
    }

    // MARK: The whole file

    /// Parses the file, and returns the element of the model.
    mutating func model() throws(TextNotationError) -> SourceElement {
        var root = TextNotationStatement("model", at: try peek())
        var hasModelBlock = false
        while try peek().kind != .end {
            if try consume(";") { continue }
            entityName = nil
            key = nil
            let token = try peek()
            if token.word.map(TextNotationText.normalized) == "model", try peekSecond().isMark("{") {
                if hasModelBlock { throw problem("a second 'model' block; there is one model in a file", at: token) }
                hasModelBlock = true
                try modelBlock(&root)
            } else {
                root.children.append(try topLevelStatement())
            }
            try endStatement()
        }
        var defaults = TextNotationDefaults()
        defaults.syncable =
            root.attributes.removeValue(forKey: TextNotationDefaults.syncableAttribute)
            .flatMap(TextNotationDefaults.Syncable.init) ?? .unset
        defaults.scalars =
            root.attributes.removeValue(forKey: TextNotationDefaults.scalarsAttribute)
            .flatMap(TextNotationDefaults.Scalars.init) ?? TextNotationDefaults.standardScalars
        completeDocument(&root)
        let element = root.element
        defaults.apply(element)
        return element
    }

    private static let topLevelKeywords = [
        "entity", "abstract", "fetch", "configuration", "composite", "localization", "model",
    ]

    private mutating func topLevelStatement() throws(TextNotationError) -> SourceElement {
        let token = try peek()
        let second = try peekSecond()
        let word = token.word.map(TextNotationText.normalized) ?? ""
        // A keyword that is not followed by its syntax is a name.
        let isNamed = second.name != nil && second.word != "as" && !second.startsLine
        switch word {
        case "entity", "abstract": if isNamed { return try entity() }
        case "fetch": if isNamed { return try fetchTemplate() }
        case "configuration": if isNamed { return try configuration() }
        case "composite": if isNamed { return try composite() }
        case "localization": if second.isMark("{") { return try localization() }
        default: break
        }
        guard let name = token.name else {
            throw problem(
                "expected a statement (\(Self.topLevelKeywords.joined(separator: ", "))), found \(token.description)",
                at: token
            )
        }
        let isEntity =
            second.isMark("{") || second.isMark("=") || second.isMark(":") || second.isMark(",") || second.word == "as"
        guard isEntity else {
            throw problem(
                "\(token.description) can't begin a statement\(suggestion(name, Self.topLevelKeywords))", at: token)
        }
        return try entity()
    }
}

/// A statement that is being parsed, which becomes a source element.
struct TextNotationStatement {
    let name: String
    let token: TextNotationToken
    var attributes: [String: String] = [:]
    var children: [SourceElement] = []
    /// The options that were specified.
    var specifiedOptions: Set<String> = []

    init(_ name: String, at token: TextNotationToken) {
        self.name = name
        self.token = token
    }

    var element: SourceElement {
        SourceElement(name, attributes: attributes, children: children, line: token.line, column: token.column)
    }
}
