// SPDX-License-Identifier: Apache-2.0

extension TextNotationParser {
    /// Parses `attribute title: string, required`, or without the keyword.
    mutating func attribute() throws(TextNotationError) -> SourceElement {
        if try !isAttributeWithoutKeyword() { try consume() }
        var statement = TextNotationStatement("attribute", at: try peek())
        let name = try propertyName("an attribute", &statement)
        guard try consumeColon() else {
            throw problem(
                """
                expected ':' and the type of attribute '\(TextNotationText.short(name))', found \
                \(try peek().description)
                """,
                at: try peek())
        }
        statement.attributes["attributeType"] = try typeName()
        if statement.attributes["attributeType"] == "Composite" {
            statement.attributes["composite"] = try self.name("the name of a composite")
        }
        try options(of: "an attribute", TextNotationVocabulary.attribute, into: &statement)
        try propertyBlock(&statement)
        return statement.element
    }

    /// Parses `to-many songs: Song, inverse: artist, delete: cascade`.
    mutating func relationship(isToMany: Bool) throws(TextNotationError) -> SourceElement {
        try consume()
        var statement = TextNotationStatement("relationship", at: try peek())
        let name = try propertyName("a relationship", &statement)
        guard try consumeColon() else {
            throw problem(
                """
                expected ':' and the destination entity of relationship '\(TextNotationText.short(name))', found \
                \(try peek().description)
                """,
                at: try peek())
        }
        statement.attributes["destinationEntity"] = try self.name("the name of the destination entity")
        try options(of: "a relationship", TextNotationVocabulary.relationship, into: &statement)
        let maximum = statement.attributes["maxCount"]
        if isToMany {
            if maximum == "1" {
                throw problem(
                    "a to-many relationship can't have max: 1; write 'to-one \(TextNotationText.short(name))'",
                    at: statement.token)
            }
            statement.attributes["toMany"] = "YES"
        } else {
            if let maximum, maximum != "1" {
                throw problem(
                    "a to-one relationship can't have max: \(maximum); write 'to-many \(TextNotationText.short(name))'",
                    at: statement.token)
            }
            statement.attributes["maxCount"] = "1"
        }
        try propertyBlock(&statement)
        return statement.element
    }

    /// Parses `fetched recent: Song, predicate: "artist == $FETCH_SOURCE", limit: 10`.
    mutating func fetchedProperty() throws(TextNotationError) -> SourceElement {
        try consume()
        var statement = TextNotationStatement("fetchedProperty", at: try peek())
        let name = try propertyName("a fetched property", &statement)
        var request = TextNotationStatement("fetchRequest", at: statement.token)
        if try consumeColon() { request.attributes["entity"] = try self.name("the name of an entity") }
        try options(
            of: "a fetched property", TextNotationVocabulary.fetched + TextNotationVocabulary.request, into: &statement)
        for option in TextNotationVocabulary.request {
            request.attributes[option.attribute] = statement.attributes.removeValue(forKey: option.attribute)
        }
        // At this point all children are values for predicates.
        swap(&request.children, &statement.children)
        try propertyBlock(&statement) { (parser, child) throws(TextNotationError) in
            guard let part = try parser.requestPart() else { return false }
            request.children.append(part)
            return true
        }
        if request.attributes["entity"] != nil {
            request.attributes["name"] = "fetchedPropertyFetchRequest"
            statement.children.append(request.element)
        } else if !request.attributes.isEmpty || !request.children.isEmpty {
            throw problem(
                "fetched property '\(TextNotationText.short(name))' has fetch options but no entity",
                at: statement.token)
        }
        return statement.element
    }

    private mutating func propertyName(_ subject: String, _ statement: inout TextNotationStatement)
        throws(TextNotationError)
        -> String
    {
        let name = try name("the name of \(subject)")
        key = name
        statement.attributes["name"] = name
        return name
    }

    /// Parses the options of a property, which is optional by default.
    private mutating func options(
        of subject: String, _ table: [TextNotationOption], into statement: inout TextNotationStatement
    ) throws(TextNotationError) {
        while try consume(",") { try option(of: subject, table, into: &statement) }
        switch statement.attributes["optional"] {
        case nil: statement.attributes["optional"] = "YES"
        case "NO": statement.attributes["optional"] = nil
        default: break
        }
    }

    /// Parses `{ predicate "SELF >= 0" warning "Too small"; user-info { … } }`.
    private mutating func propertyBlock(
        _ statement: inout TextNotationStatement,
        _ part: (inout TextNotationParser, TextNotationToken) throws(TextNotationError) -> Bool = {
            (_, _) throws(TextNotationError) in false
        }
    ) throws(TextNotationError) {
        guard try hasBlock() else { return }
        var children = statement.children
        try block(of: "the parts of a property") { (parser) throws(TextNotationError) in
            let token = try parser.peek()
            switch TextNotationText.normalized(token.word ?? "") {
            case "predicate": children.append(try parser.validation())
            case "userinfo": children.append(try parser.userInfo(in: children))
            default:
                guard try part(&parser, token) else {
                    let name = token.name ?? ""
                    throw parser.problem(
                        """
                        \(token.description) can't begin a part of a \
                        property\(parser.suggestion(name, ["predicate", "user-info"]))
                        """,
                        at: token)
                }
            }
            try parser.endStatement()
        }
        statement.children = children
    }

    private mutating func validation() throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement("validation", at: try consume())
        statement.attributes["predicate"] = try predicate("predicate", into: &statement)
        guard try consume(word: "warning") else {
            throw problem(
                "expected 'warning' and a text or an error code, found \(try peek().description)", at: try peek())
        }
        let token = try peek()
        if let word = token.word, Int64(word) != nil {
            try consume()
            statement.attributes["type"] = SourceValue.Kind.integer.rawValue
            statement.attributes["value"] = word
        } else {
            try value(into: &statement, depth: 0)
        }
        return statement.element
    }

    /// Parses a type; returns its name in source models.
    mutating func typeName() throws(TextNotationError) -> String {
        let token = try peek()
        let written = try name("a type")
        var word = TextNotationText.normalized(written)
        // The spelling of source models: "integer 16".
        if word == "integer", let size = try peek().word, ["16", "32", "64"].contains(size), try !peek().startsLine {
            try consume()
            word += size
        }
        if let type = TextNotationVocabulary.types.first(where: { TextNotationText.normalized($0.word) == word }) {
            return type.name
        }
        let words = TextNotationVocabulary.types.prefix { $0.word != "int16" }.map(\.word)
        let isInteger = word == "integer" || word == "int"
        let remedy = isInteger ? "; write integer16, integer32 or integer64" : suggestion(written, words)
        throw problem("'\(TextNotationText.short(written))' is not a type\(remedy)", at: token)
    }
}
