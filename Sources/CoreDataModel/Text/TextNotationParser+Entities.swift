// SPDX-License-Identifier: Apache-2.0

extension TextNotationParser {
    /// Parses `abstract entity Item: Thing as .Item, renamed-from: Object { … }`, or without the keyword: `Item { … }`.
    mutating func entity() throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement("entity", at: try peek())
        try entityHead(&statement)
        while try consume(",") { try option(of: "an entity", TextNotationVocabulary.entity, into: &statement) }
        if try hasBlock() {
            var body = statement
            var lists = EntityLists()
            try block(of: "the properties of an entity") { (parser) throws(TextNotationError) in
                try parser.entityStatement(&body, &lists)
                try parser.endStatement()
            }
            statement = body
            statement.children += lists.elements
        }
        return statement.element
    }

    private mutating func entityHead(_ statement: inout TextNotationStatement) throws(TextNotationError) {
        func isKeyword(_ word: String, _ parser: inout TextNotationParser) throws(TextNotationError) -> Bool {
            guard TextNotationText.normalized(try parser.peek().word ?? "") == word else { return false }
            let second = try parser.peekSecond()
            return second.name != nil && second.word != "as"
        }
        if try isKeyword("abstract", &self) {
            try consume()
            statement.attributes["isAbstract"] = "YES"
        }
        if try isKeyword("entity", &self) { try consume() }
        let name = try name("the name of an entity")
        entityName = name
        statement.attributes["name"] = name
        if try consume(":") { statement.attributes["parentEntity"] = try self.name("the name of the parent entity") }
        if try consume(word: "as") {
            statement.attributes["representedClassName"] = try self.name("the name of a class")
        }
    }

    /// The lists of an entity. Each is one source element.
    private struct EntityLists {
        var constraints: [SourceElement] = []
        var compounds: [SourceElement] = []

        var elements: [SourceElement] {
            [
                SourceElement("uniquenessConstraints", children: constraints),
                SourceElement("compoundIndexes", children: compounds),
            ].filter { !$0.children.isEmpty }
        }
    }

    private static let entityKeywords = [
        "attribute", "to-one", "to-many", "fetched", "index", "unique", "compound-index", "user-info",
    ]

    /// Whether the next tokens are `name: type`, an attribute without its keyword.
    mutating func isAttributeWithoutKeyword() throws(TextNotationError) -> Bool {
        guard try peek().name != nil else { return false }
        return try peekSecond().isMark(":")
    }

    private mutating func entityStatement(
        _ entity: inout TextNotationStatement, _ lists: inout EntityLists
    ) throws(TextNotationError) {
        key = nil
        let token = try peek()
        if try isAttributeWithoutKeyword() {
            entity.children.append(try attribute())
            return
        }
        guard let word = token.word else {
            throw problem("expected a property or another part of an entity, found \(token.description)", at: token)
        }
        switch TextNotationText.normalized(word) {
        case "attribute": entity.children.append(try attribute())
        case "toone": entity.children.append(try relationship(isToMany: false))
        case "tomany": entity.children.append(try relationship(isToMany: true))
        case "fetched": entity.children.append(try fetchedProperty())
        case "index": entity.children.append(try index())
        case "unique": lists.constraints.append(try list("uniquenessConstraint", "constraint"))
        case "compoundindex": lists.compounds.append(try list("compoundIndex", "index"))
        case "userinfo": entity.children.append(try userInfo(in: entity.children))
        default:
            let second = try peekSecond()
            if second.isMark("="), TextNotationOption.named(word, in: TextNotationVocabulary.entity) != nil {
                throw problem(
                    "'\(TextNotationText.short(word))' is an option of the entity; write ', \(word):' before its '{'",
                    at: token)
            }
            if second.isMark("=") { throw problem("write ':' in place of '='", at: second) }
            throw problem(
                """
                '\(TextNotationText.short(word))' can't begin a part of an \
                entity\(suggestion(word, Self.entityKeywords))
                """,
                at: token)
        }
    }

    /// Parses `unique firstName, lastName`.
    private mutating func list(_ name: String, _ item: String) throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement(name, at: try consume())
        repeat {
            var element = TextNotationStatement(item, at: try peek())
            element.attributes["value"] = try self.name("the name of a property")
            statement.children.append(element.element)
        } while try consume(",")
        return statement.element
    }

    /// Parses `index byName: name, date descending, expression "lower:(title)" string where "date != nil"`.
    private mutating func index() throws(TextNotationError) -> SourceElement {
        try consume()
        var statement = TextNotationStatement("fetchIndex", at: try peek())
        let name = try name("the name of an index")
        key = name
        statement.attributes["name"] = name
        guard try consumeColon() else {
            throw problem("expected ':' and the properties of index '\(TextNotationText.short(name))'", at: try peek())
        }
        repeat { statement.children.append(try indexElement()) } while try consume(",")
        if try !peek().startsLine, try consume(word: "where") {
            statement.attributes["partialIndexPredicate"] = try predicate("partialIndexPredicate", into: &statement)
        }
        return statement.element
    }

    private static let indexKeywords = ["ascending", "descending", "rtree", "type", "named", "where"]

    private mutating func indexElement() throws(TextNotationError) -> SourceElement {
        var statement = TextNotationStatement("fetchIndexElement", at: try peek())
        let second = try peekSecond()
        if TextNotationText.normalized(try peek().word ?? "") == "expression", case .text(let text) = second.kind {
            try consume()
            try consume()
            statement.attributes["expression"] = text
        } else {
            statement.attributes["property"] = try name("the name of a property")
        }
        while let word = try peek().word, try !peek().startsLine, TextNotationText.normalized(word) != "where" {
            let token = try consume()
            switch TextNotationText.normalized(word) {
            case "ascending": statement.attributes["order"] = "ascending"
            case "descending": statement.attributes["order"] = "descending"
            case "rtree": statement.attributes["type"] = "RTree"
            case "type" where statement.attributes["expression"] != nil:
                statement.attributes["expressionType"] = try typeName()
            case "named" where statement.attributes["expression"] != nil:
                statement.attributes["expressionName"] = try name("the name of an expression")
            default:
                throw problem(
                    """
                    '\(TextNotationText.short(word))' is not an option of an \
                    index\(suggestion(word, Self.indexKeywords))
                    """,
                    at: token)
            }
        }
        return statement.element
    }
}
