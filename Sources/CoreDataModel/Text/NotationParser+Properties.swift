extension NotationParser {
    /// `attribute title: string, required`, or without the word.
    mutating func attribute() throws(NotationProblem) -> SourceElement {
        if try !isBareAttribute() { try take() }
        var statement = NotationStatement("attribute", at: try peek())
        let name = try propertyName("an attribute", &statement)
        guard try takeColon() else {
            throw problem(
                "expected ':' and the type of attribute '\(NotationText.short(name))', found \(try peek().description)",
                at: try peek())
        }
        statement.attributes["attributeType"] = try typeName()
        if statement.attributes["attributeType"] == "Composite" {
            statement.attributes["composite"] = try self.name("the name of a composite")
        }
        try details(of: "an attribute", NotationWords.attribute, into: &statement)
        try propertyBlock(&statement)
        return statement.element
    }

    /// `to-many songs: Song, inverse: artist, delete: cascade`
    mutating func relationship(isToMany: Bool) throws(NotationProblem) -> SourceElement {
        try take()
        var statement = NotationStatement("relationship", at: try peek())
        let name = try propertyName("a relationship", &statement)
        guard try takeColon() else {
            throw problem(
                """
                expected ':' and the destination entity of relationship '\(NotationText.short(name))', found \
                \(try peek().description)
                """,
                at: try peek())
        }
        statement.attributes["destinationEntity"] = try self.name("the name of the destination entity")
        try details(of: "a relationship", NotationWords.relationship, into: &statement)
        let maximum = statement.attributes["maxCount"]
        if isToMany {
            if maximum == "1" {
                throw problem(
                    "a to-many relationship can't have max: 1; write 'to-one \(NotationText.short(name))'",
                    at: statement.token)
            }
            statement.attributes["toMany"] = "YES"
        } else {
            if let maximum, maximum != "1" {
                throw problem(
                    "a to-one relationship can't have max: \(maximum); write 'to-many \(NotationText.short(name))'",
                    at: statement.token)
            }
            statement.attributes["maxCount"] = "1"
        }
        try propertyBlock(&statement)
        return statement.element
    }

    /// `fetched recent: Song, predicate: "artist == $FETCH_SOURCE", limit: 10`
    mutating func fetchedProperty() throws(NotationProblem) -> SourceElement {
        try take()
        var statement = NotationStatement("fetchedProperty", at: try peek())
        let name = try propertyName("a fetched property", &statement)
        var request = NotationStatement("fetchRequest", at: statement.token)
        if try takeColon() { request.attributes["entity"] = try self.name("the name of an entity") }
        try details(of: "a fetched property", NotationWords.fetched + NotationWords.request, into: &statement)
        for detail in NotationWords.request {
            request.attributes[detail.attribute] = statement.attributes.removeValue(forKey: detail.attribute)
        }
        // So far the only children are values for the predicates.
        swap(&request.children, &statement.children)
        try propertyBlock(&statement) { (parser, child) throws(NotationProblem) in
            guard let part = try parser.requestPart() else { return false }
            request.children.append(part)
            return true
        }
        if request.attributes["entity"] != nil {
            request.attributes["name"] = "fetchedPropertyFetchRequest"
            statement.children.append(request.element)
        } else if !request.attributes.isEmpty || !request.children.isEmpty {
            throw problem(
                "fetched property '\(NotationText.short(name))' says what to fetch but not of which entity",
                at: statement.token)
        }
        return statement.element
    }

    private mutating func propertyName(_ what: String, _ statement: inout NotationStatement) throws(NotationProblem)
        -> String
    {
        let name = try name("the name of \(what)")
        key = name
        statement.attributes["name"] = name
        return name
    }

    /// The details of a property: it is optional unless it says `required`.
    private mutating func details(
        of what: String, _ table: [NotationDetail], into statement: inout NotationStatement
    ) throws(NotationProblem) {
        while try take(",") { try detail(of: what, table, into: &statement) }
        switch statement.attributes["optional"] {
        case nil: statement.attributes["optional"] = "YES"
        case "NO": statement.attributes["optional"] = nil
        default: break
        }
    }

    /// `{ predicate "SELF >= 0" warning "Too small"; user-info { … } }`
    private mutating func propertyBlock(
        _ statement: inout NotationStatement,
        _ part: (inout NotationParser, NotationToken) throws(NotationProblem) -> Bool = {
            (_, _) throws(NotationProblem) in false
        }
    ) throws(NotationProblem) {
        guard try hasBlock() else { return }
        var children = statement.children
        try block(of: "the parts of a property") { (parser) throws(NotationProblem) in
            let token = try parser.peek()
            switch NotationText.plain(token.word ?? "") {
            case "predicate": children.append(try parser.validation())
            case "userinfo": children.append(try parser.userInfo(in: children))
            default:
                guard try part(&parser, token) else {
                    let name = token.name ?? ""
                    throw parser.problem(
                        """
                        \(token.description) begins no part of a \
                        property\(parser.suggestion(name, ["predicate", "user-info"]))
                        """,
                        at: token)
                }
            }
            try parser.endStatement()
        }
        statement.children = children
    }

    private mutating func validation() throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement("validation", at: try take())
        statement.attributes["predicate"] = try predicate("predicate", into: &statement)
        guard try take(word: "warning") else {
            throw problem(
                "expected 'warning' and a text or an error code, found \(try peek().description)", at: try peek())
        }
        let token = try peek()
        if let word = token.word, Int64(word) != nil {
            try take()
            statement.attributes["type"] = SourceValue.Kind.integer.rawValue
            statement.attributes["value"] = word
        } else {
            try value(into: &statement, depth: 0)
        }
        return statement.element
    }

    /// The name of a type as source models have it.
    mutating func typeName() throws(NotationProblem) -> String {
        let token = try peek()
        let written = try name("a type")
        var word = NotationText.plain(written)
        // "integer 16", as source models spell it.
        if word == "integer", let size = try peek().word, ["16", "32", "64"].contains(size), try !peek().startsLine {
            try take()
            word += size
        }
        if let type = NotationWords.types.first(where: { NotationText.plain($0.word) == word }) { return type.name }
        let words = NotationWords.types.prefix { $0.word != "int16" }.map(\.word)
        let isInteger = word == "integer" || word == "int"
        let remedy = isInteger ? "; write integer16, integer32 or integer64" : suggestion(written, words)
        throw problem("'\(NotationText.short(written))' is no type\(remedy)", at: token)
    }
}
