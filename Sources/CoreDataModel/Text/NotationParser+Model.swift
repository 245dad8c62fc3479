extension NotationParser {
    /// `model { version: "1.2"; language: Swift }`
    mutating func modelBlock(_ root: inout NotationStatement) throws(NotationProblem) {
        try take()
        _ = try take("=")
        var statement = root
        try block(of: "the model's settings") { (parser) throws(NotationProblem) in
            let token = try parser.peek()
            let isVersion =
                token.word.map(NotationText.plain).map { $0 == "version" || $0 == "versionidentifier" } ?? false
            try parser.detail(of: "a model", NotationWords.model, into: &statement)
            if isVersion { try parser.moreVersions(into: &statement) }
            try parser.endStatement()
        }
        root = statement
    }

    /// A model made in code may have several identifiers: `version: "a", "b"`.
    private mutating func moreVersions(into statement: inout NotationStatement) throws(NotationProblem) {
        guard try peek().isMark(","), let first = statement.attributes["userDefinedModelVersionIdentifier"] else {
            return
        }
        var versions = [first]
        while try take(",") { versions.append(try name("a version identifier")) }
        statement.attributes["userDefinedModelVersionIdentifier"] = nil
        statement.children += versions.map { SourceElement("versionIdentifier", [("value", $0)]) }
    }

    /// A model that says anything to the editor is a document of the editor's usual kind, unless it says otherwise.
    func completeDocument(_ root: inout NotationStatement) {
        let said = SourceEditorAttributes.model.filter { root.attributes[$0] != nil }
        for (attribute, value) in NotationWords.usualDocument where root.attributes[attribute] == nil && !said.isEmpty {
            root.attributes[attribute] = value
        }
        for attribute in said where root.attributes[attribute] == NotationDefaults.unset {
            root.attributes[attribute] = nil
        }
    }

    /// `configuration Cloud { Song; Artist }`, or `configuration Cloud: Song, Artist`
    mutating func configuration() throws(NotationProblem) -> SourceElement {
        try take()
        var statement = NotationStatement("configuration", at: try peek())
        let name = try name("the name of a configuration")
        key = name
        statement.attributes["name"] = name
        func member(_ parser: inout NotationParser) throws(NotationProblem) {
            var member = NotationStatement("memberEntity", at: try parser.peek())
            member.attributes["name"] = try parser.name("the name of an entity")
            statement.children.append(member.element)
        }
        if try hasBlock() {
            try block(of: "the entities of a configuration") { (parser) throws(NotationProblem) in
                try member(&parser)
                if try !parser.take(",") { try parser.endStatement() }
            }
        } else {
            try expect(":", "or a block with the entities of the configuration")
            repeat { try member(&self) } while try take(",")
        }
        return statement.element
    }

    /// `composite Location { attribute latitude: double }`
    mutating func composite() throws(NotationProblem) -> SourceElement {
        try take()
        var statement = NotationStatement("composite", at: try peek())
        let name = try name("the name of a composite")
        key = name
        statement.attributes["name"] = name
        guard try hasBlock() else {
            throw problem(
                "expected a block with the attributes of composite '\(NotationText.short(name))'", at: try peek())
        }
        try block(of: "the attributes of a composite") { (parser) throws(NotationProblem) in
            let token = try parser.peek()
            guard try parser.isBareAttribute() || NotationText.plain(token.word ?? "") == "attribute" else {
                throw parser.problem("a composite has attributes only, found \(token.description)", at: token)
            }
            statement.children.append(try parser.attribute())
            try parser.endStatement()
        }
        return statement.element
    }

    /// `localization { "Property/title": "Title" }`
    mutating func localization() throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement("localization", at: try take())
        var keys: Set<String> = []
        try block(of: "the localized texts") { (parser) throws(NotationProblem) in
            var entry = NotationStatement("entry", at: try parser.peek())
            let key = try parser.name("the key of a localized text")
            guard keys.insert(key).inserted else {
                throw parser.problem("the key '\(NotationText.short(key))' is there twice", at: entry.token)
            }
            guard try parser.takeColon() else {
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
