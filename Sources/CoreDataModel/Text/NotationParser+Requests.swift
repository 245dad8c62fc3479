extension NotationParser {
    /// `fetch RecentSongs: Song, predicate: "date > $DATE", limit: 10 { sort date descending }`
    mutating func fetchTemplate() throws(NotationProblem) -> SourceElement {
        try take()
        var statement = NotationStatement("fetchRequest", at: try peek())
        let name = try name("the name of a fetch request")
        key = name
        statement.attributes["name"] = name
        guard try takeColon() else {
            throw problem(
                """
                expected ':' and the entity of fetch request '\(NotationText.short(name))', found \
                \(try peek().description)
                """,
                at: try peek())
        }
        statement.attributes["entity"] = try self.name("the name of an entity")
        while try take(",") { try detail(of: "a fetch request", NotationWords.request, into: &statement) }
        if try hasBlock() {
            var children = statement.children
            try block(of: "the parts of a fetch request") { (parser) throws(NotationProblem) in
                let token = try parser.peek()
                guard let part = try parser.requestPart() else {
                    let remedy = parser.suggestion(token.name ?? "", Self.requestWords)
                    throw parser.problem("\(token.description) begins no part of a fetch request\(remedy)", at: token)
                }
                children.append(part)
                try parser.endStatement()
            }
            statement.children = children
        }
        return statement.element
    }

    private static let requestWords = ["sort", "column", "group", "prefetch"]

    /// An order, a column, a group or a path to prefetch; nil if something else comes.
    mutating func requestPart() throws(NotationProblem) -> SourceElement? {
        let token = try peek()
        switch NotationText.plain(token.word ?? "") {
        case "sort": return try sort()
        case "column": return try column("column")
        case "group": return try column("group")
        case "prefetch":
            var statement = NotationStatement("prefetch", at: try take())
            statement.attributes["name"] = try name("the key path of a relationship")
            return statement.element
        default: return nil
        }
    }

    /// `sort name descending by localizedStandardCompare`
    private mutating func sort() throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement("sort", at: try take())
        statement.attributes["name"] = try name("a key path")
        if try !peek().startsLine {
            if try take(word: "descending") {
                statement.attributes["order"] = "descending"
            } else {
                _ = try take(word: "ascending")
            }
        }
        guard try !peek().startsLine, try take(word: "by") else { return statement.element }
        let token = try peek()
        let method = try name("the name of a comparison")
        guard let selector = SourceSpelling.comparisons.first(where: { $0 == method || $0.dropLast() == method }) else {
            let words = SourceSpelling.comparisons.map { String($0.dropLast()) }
            throw problem("'\(NotationText.short(method))' is no comparison\(suggestion(method, words))", at: token)
        }
        statement.attributes["selector"] = selector
        return statement.element
    }

    /// `column name`, or `column total: decimal "sum:(price)"`
    private mutating func column(_ element: String) throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement(element, at: try take())
        statement.attributes["name"] = try name("the name of a property")
        if try takeColon() {
            statement.attributes["expressionType"] = try typeName()
            statement.attributes["expression"] = try name("an expression")
        }
        return statement.element
    }
}
