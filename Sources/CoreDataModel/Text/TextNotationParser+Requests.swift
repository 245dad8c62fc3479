// SPDX-License-Identifier: Apache-2.0

extension TextNotationParser {
    /// Parses `fetch RecentSongs: Song, predicate: "date > $DATE", limit: 10 { sort date descending }`.
    mutating func fetchTemplate() throws(TextNotationError) -> SourceElement {
        try consume()
        var statement = TextNotationStatement("fetchRequest", at: try peek())
        let name = try name("the name of a fetch request")
        key = name
        statement.attributes["name"] = name
        guard try consumeColon() else {
            throw problem(
                """
                expected ':' and the entity of fetch request '\(TextNotationText.short(name))', found \
                \(try peek().description)
                """,
                at: try peek())
        }
        statement.attributes["entity"] = try self.name("the name of an entity")
        while try consume(",") { try option(of: "a fetch request", TextNotationVocabulary.request, into: &statement) }
        if try hasBlock() {
            var children = statement.children
            try block(of: "the parts of a fetch request") { (parser) throws(TextNotationError) in
                let token = try parser.peek()
                guard let part = try parser.requestPart() else {
                    let remedy = parser.suggestion(token.name ?? "", Self.requestKeywords)
                    throw parser.problem(
                        "\(token.description) can't begin a part of a fetch request\(remedy)", at: token)
                }
                children.append(part)
                try parser.endStatement()
            }
            statement.children = children
        }
        return statement.element
    }

    private static let requestKeywords = ["sort", "column", "group", "prefetch"]

    /// Parses a sort descriptor, a column, a group or a key path to prefetch; nil for another token.
    mutating func requestPart() throws(TextNotationError) -> SourceElement? {
        let token = try peek()
        switch TextNotationText.normalized(token.word ?? "") {
        case "sort": return try sort()
        case "column": return try column("column")
        case "group": return try column("group")
        case "prefetch":
            var statement = TextNotationStatement("prefetch", at: try consume())
            statement.attributes["name"] = try name("the key path of a relationship")
            return statement.element
        default: return nil
        }
    }

    /// Parses `sort name descending by localizedStandardCompare`.
    private mutating func sort() throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement("sort", at: try consume())
        statement.attributes["name"] = try name("a key path")
        if try !peek().startsLine {
            if try consume(word: "descending") {
                statement.attributes["order"] = "descending"
            } else {
                _ = try consume(word: "ascending")
            }
        }
        guard try !peek().startsLine, try consume(word: "by") else { return statement.element }
        let token = try peek()
        let method = try name("the name of a comparison")
        guard let selector = SourceSpelling.comparisons.first(where: { $0 == method || $0.dropLast() == method }) else {
            let words = SourceSpelling.comparisons.map { String($0.dropLast()) }
            throw problem(
                "'\(TextNotationText.short(method))' is not a comparison method\(suggestion(method, words))", at: token)
        }
        statement.attributes["selector"] = selector
        return statement.element
    }

    /// Parses `column name`, or `column total: decimal "sum:(price)"`.
    private mutating func column(_ element: String) throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement(element, at: try consume())
        statement.attributes["name"] = try name("the name of a property")
        if try consumeColon() {
            statement.attributes["expressionType"] = try typeName()
            statement.attributes["expression"] = try name("an expression")
        }
        return statement.element
    }
}
