// SPDX-License-Identifier: Apache-2.0

extension TextNotationParser {
    /// Parses `model { version: "1.2"; language: Swift }`.
    mutating func modelBlock(_ root: inout TextNotationStatement) throws(TextNotationError) {
        try consume()
        var statement = root
        try block(of: "the model's settings") { (parser) throws(TextNotationError) in
            let token = try parser.peek()
            let isVersion = token.word.map(TextNotationText.normalized) == "version"
            try parser.option(of: "a model", TextNotationVocabulary.model, into: &statement)
            if isVersion { try parser.parseAdditionalVersionIdentifiers(into: &statement) }
            try parser.endStatement()
        }
        root = statement
    }

    /// Parses further version identifiers, which a model made in code can have: `version: "a", "b"`.
    private mutating func parseAdditionalVersionIdentifiers(into statement: inout TextNotationStatement)
        throws(TextNotationError)
    {
        guard try peek().isMark(","), let first = statement.attributes["userDefinedModelVersionIdentifier"] else {
            return
        }
        var versions = [first]
        while try consume(",") { versions.append(try name("a version identifier")) }
        statement.attributes["userDefinedModelVersionIdentifier"] = nil
        statement.children += versions.map { SourceElement("versionIdentifier", [("value", $0)]) }
    }

    /// Adds the default attributes of a document to a model that has other editor attributes.
    func completeDocument(_ root: inout TextNotationStatement) {
        let specified = SourceEditorAttributes.model.filter { root.attributes[$0] != nil }
        for (attribute, value) in TextNotationVocabulary.defaultDocumentAttributes
        where root.attributes[attribute] == nil && !specified.isEmpty {
            root.attributes[attribute] = value
        }
        for attribute in specified where root.attributes[attribute] == TextNotationDefaults.unset {
            root.attributes[attribute] = nil
        }
    }

    /// Parses `configuration Cloud { Song; Artist }`, or `configuration Cloud: Song, Artist`.
    mutating func configuration() throws(TextNotationError) -> SourceElement {
        try consume()
        var statement = TextNotationStatement("configuration", at: try peek())
        let name = try name("the name of a configuration")
        key = name
        statement.attributes["name"] = name
        func member(_ parser: inout TextNotationParser) throws(TextNotationError) {
            var member = TextNotationStatement("memberEntity", at: try parser.peek())
            member.attributes["name"] = try parser.name("the name of an entity")
            statement.children.append(member.element)
        }
        if try hasBlock() {
            try block(of: "the entities of a configuration") { (parser) throws(TextNotationError) in
                try member(&parser)
                if try !parser.consume(",") { try parser.endStatement() }
            }
        } else {
            try expect(":", "or a block with the entities of the configuration")
            repeat { try member(&self) } while try consume(",")
        }
        return statement.element
    }

    /// Parses `composite Location { attribute latitude: double }`.
    mutating func composite() throws(TextNotationError) -> SourceElement {
        try consume()
        var statement = TextNotationStatement("composite", at: try peek())
        let name = try name("the name of a composite")
        key = name
        statement.attributes["name"] = name
        guard try hasBlock() else {
            throw problem(
                "expected a block with the attributes of composite '\(TextNotationText.short(name))'", at: try peek())
        }
        try block(of: "the attributes of a composite") { (parser) throws(TextNotationError) in
            let token = try parser.peek()
            guard try parser.isAttributeWithoutKeyword() || TextNotationText.normalized(token.word ?? "") == "attribute"
            else {
                throw parser.problem("a composite has attributes only, found \(token.description)", at: token)
            }
            statement.children.append(try parser.attribute())
            try parser.endStatement()
        }
        return statement.element
    }

    /// Parses `localization { "Property/title": "Title" }`.
    mutating func localization() throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement("localization", at: try consume())
        var keys: Set<String> = []
        try block(of: "the localized texts") { (parser) throws(TextNotationError) in
            var entry = TextNotationStatement("entry", at: try parser.peek())
            let key = try parser.name("the key of a localized text")
            guard keys.insert(key).inserted else {
                throw parser.problem("the key '\(TextNotationText.short(key))' is there twice", at: entry.token)
            }
            guard try parser.consumeColon() else {
                throw parser.problem(
                    "expected ':' and the localized text, found \(try parser.peek().description)", at: try parser.peek()
                )
            }
            entry.attributes = ["key": key, "value": try parser.name("the localized text")]
            statement.children.append(entry.element)
            try parser.endStatement()
        }
        return statement.element
    }
}
