/// Reads the notation into source elements. Each statement has its own method; what they share is here.
struct NotationParser {
    private var lexer: NotationLexer
    /// The token that comes next; nil before the first one.
    private var upcoming: NotationToken?
    private var afterUpcoming: NotationToken?
    /// What is being read, for messages.
    var entityName: String?
    var key: String?

    init(bytes: [UInt8]) { lexer = NotationLexer(bytes: bytes) }

    // MARK: Tokens

    /// The next token, which stays.
    mutating func peek() throws(NotationProblem) -> NotationToken {
        if let upcoming { return upcoming }
        let token = try lexer.next()
        upcoming = token
        return token
    }

    /// The token after the next one.
    mutating func peekSecond() throws(NotationProblem) -> NotationToken {
        _ = try peek()
        if let afterUpcoming { return afterUpcoming }
        let token = try lexer.next()
        afterUpcoming = token
        return token
    }

    @discardableResult
    mutating func take() throws(NotationProblem) -> NotationToken {
        let token = try peek()
        upcoming = afterUpcoming
        afterUpcoming = nil
        return token
    }

    /// Takes a punctuation mark if it is next.
    mutating func take(_ mark: Character) throws(NotationProblem) -> Bool {
        guard try peek().isMark(mark) else { return false }
        try take()
        return true
    }

    /// Takes a word if it is next.
    mutating func take(word: String) throws(NotationProblem) -> Bool {
        guard let next = try peek().word, NotationText.plain(next) == word else { return false }
        try take()
        return true
    }

    mutating func expect(_ mark: Character, _ place: String) throws(NotationProblem) {
        let token = try peek()
        guard token.isMark(mark) else {
            throw problem("expected '\(mark)' \(place), found \(token.description)", at: token)
        }
        try take()
    }

    /// A name: a word or a text.
    mutating func name(_ what: String) throws(NotationProblem) -> String {
        let token = try peek()
        guard let name = token.name else { throw problem("expected \(what), found \(token.description)", at: token) }
        try take()
        return name
    }

    /// A colon, or the equals sign that the long-hand has, if one is next.
    mutating func takeColon() throws(NotationProblem) -> Bool {
        if try take(":") { return true }
        return try take("=")
    }

    func problem(_ message: String, at token: NotationToken) -> NotationProblem {
        NotationProblem(message: message, line: token.line, column: token.column)
    }

    /// The nearest of the words allowed, or all of them.
    func suggestion(_ word: String, _ words: [String]) -> String {
        let question = NearestNames.question(for: word, in: words)
        return question.isEmpty ? "; expected one of " + words.joined(separator: ", ") : "." + question
    }

    // MARK: Statements and blocks

    /// A statement ends with a semicolon, with its line or with the block it stands in.
    mutating func endStatement() throws(NotationProblem) {
        if try take(";") {
            while try take(";") {}
            return
        }
        let token = try peek()
        if token.startsLine || token.isMark("}") || token.kind == .end { return }
        throw problem("expected ',' and a detail, ';' or a new line, found \(token.description)", at: token)
    }

    /// Whether the next statement goes on with a block; an equals sign before it is allowed.
    mutating func hasBlock() throws(NotationProblem) -> Bool {
        if try peek().isMark("{") { return true }
        guard try peek().isMark("="), try peekSecond().isMark("{") else { return false }
        try take()
        return true
    }

    /// Reads `{ statement statement … }`.
    mutating func block(of what: String, _ statement: (inout NotationParser) throws(NotationProblem) -> Void)
        throws(NotationProblem)
    {
        let open = try peek()
        try expect("{", "before \(what)")
        while !(try take("}")) {
            if try take(";") { continue }
            if try peek().kind == .end { throw problem("the '{' before \(what) has no '}'", at: open) }
            try statement(&self)
        }
    }

    // MARK: The whole file

    /// The source elements of the model.
    mutating func model() throws(NotationProblem) -> SourceElement {
        var root = NotationStatement("model", at: try peek())
        var isModelSaid = false
        while try peek().kind != .end {
            if try take(";") { continue }
            entityName = nil
            key = nil
            let token = try peek()
            if token.word.map(NotationText.plain) == "model", try hasBlockAfterWord() {
                if isModelSaid { throw problem("a second 'model' block; there is one model in a file", at: token) }
                isModelSaid = true
                try modelBlock(&root)
            } else {
                root.children.append(try topStatement())
            }
            try endStatement()
        }
        var defaults = NotationDefaults()
        defaults.syncable =
            root.attributes.removeValue(forKey: NotationDefaults.syncableAttribute)
            .flatMap(NotationDefaults.Syncable.init) ?? .unset
        defaults.scalars =
            root.attributes.removeValue(forKey: NotationDefaults.scalarsAttribute)
            .flatMap(NotationDefaults.Scalars.init) ?? .unset
        completeDocument(&root)
        let element = root.element
        defaults.fill(element)
        return element
    }

    /// Whether the word that is next stands before a block.
    mutating func hasBlockAfterWord() throws(NotationProblem) -> Bool {
        let second = try peekSecond()
        return second.isMark("{") || second.isMark("=")
    }

    private static let topWords = [
        "entity", "abstract", "fetch", "configuration", "composite", "localization", "model",
    ]

    private mutating func topStatement() throws(NotationProblem) -> SourceElement {
        let token = try peek()
        let second = try peekSecond()
        let word = token.word.map(NotationText.plain) ?? ""
        // A keyword is one only where what follows it fits; elsewhere it is a name.
        let isNamed = second.name != nil && second.word != "as" && !second.startsLine
        switch word {
        case "entity", "abstract": if isNamed { return try entity() }
        case "fetch", "fetchrequest": if isNamed { return try fetchTemplate() }
        case "configuration": if isNamed { return try configuration() }
        case "composite": if isNamed { return try composite() }
        case "localization": if second.isMark("{") { return try localization() }
        default: break
        }
        guard let name = token.name else {
            throw problem(
                "expected a statement (\(Self.topWords.joined(separator: ", "))), found \(token.description)", at: token
            )
        }
        let isEntity =
            second.isMark("{") || second.isMark("=") || second.isMark(":") || second.isMark(",") || second.word == "as"
        guard isEntity else {
            throw problem("\(token.description) begins no statement\(suggestion(name, Self.topWords))", at: token)
        }
        return try entity()
    }
}

/// A statement while it is read: what becomes a source element.
struct NotationStatement {
    let name: String
    let token: NotationToken
    var attributes: [String: String] = [:]
    var children: [SourceElement] = []
    /// The details that were said.
    var said: Set<String> = []

    init(_ name: String, at token: NotationToken) {
        self.name = name
        self.token = token
    }

    var element: SourceElement {
        SourceElement(name, attributes: attributes, children: children, line: token.line, column: token.column)
    }
}
