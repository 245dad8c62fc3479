extension NotationParser {
    /// `abstract entity Item: Thing as .Item, renamed-from: Object { … }`, or without the word: `Item { … }`
    mutating func entity() throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement("entity", at: try peek())
        try entityHead(&statement)
        while try take(",") { try detail(of: "an entity", NotationWords.entity, into: &statement) }
        if try hasBlock() {
            var body = statement
            var lists = EntityLists()
            try block(of: "the properties of an entity") { (parser) throws(NotationProblem) in
                try parser.entityStatement(&body, &lists)
                try parser.endStatement()
            }
            statement = body
            statement.children += lists.elements
        }
        return statement.element
    }

    private mutating func entityHead(_ statement: inout NotationStatement) throws(NotationProblem) {
        func isKeyword(_ word: String, _ parser: inout NotationParser) throws(NotationProblem) -> Bool {
            guard NotationText.plain(try parser.peek().word ?? "") == word else { return false }
            let second = try parser.peekSecond()
            return second.name != nil && second.word != "as"
        }
        if try isKeyword("abstract", &self) {
            try take()
            statement.attributes["isAbstract"] = "YES"
        }
        if try isKeyword("entity", &self) { try take() }
        let name = try name("the name of an entity")
        entityName = name
        statement.attributes["name"] = name
        if try take(":") { statement.attributes["parentEntity"] = try self.name("the name of the parent entity") }
        if try take(word: "as") { statement.attributes["representedClassName"] = try self.name("the name of a class") }
    }

    /// The lists of an entity, each of which is one source element.
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

    private static let entityWords = [
        "attribute", "to-one", "to-many", "fetched", "index", "unique", "compound-index", "user-info",
    ]

    /// `name: type`, an attribute without its keyword.
    mutating func isBareAttribute() throws(NotationProblem) -> Bool {
        guard try peek().name != nil else { return false }
        return try peekSecond().isMark(":")
    }

    private mutating func entityStatement(
        _ entity: inout NotationStatement, _ lists: inout EntityLists
    ) throws(NotationProblem) {
        key = nil
        let token = try peek()
        if try isBareAttribute() {
            entity.children.append(try attribute())
            return
        }
        guard let word = token.word else {
            throw problem("expected a property or another part of an entity, found \(token.description)", at: token)
        }
        switch NotationText.plain(word) {
        case "attribute": entity.children.append(try attribute())
        case "toone", "toonerelationship": entity.children.append(try relationship(isToMany: false))
        case "tomany", "tomanyrelationship": entity.children.append(try relationship(isToMany: true))
        case "fetched", "fetchedproperty": entity.children.append(try fetchedProperty())
        case "index": entity.children.append(try index())
        case "unique": lists.constraints.append(try list("uniquenessConstraint", "constraint"))
        case "compoundindex": lists.compounds.append(try list("compoundIndex", "index"))
        case "userinfo": entity.children.append(try userInfo(in: entity.children))
        default:
            // The long-hand gives an entity's own details in its block: `class = Song;`.
            guard try peekSecond().isMark("="), NotationDetail.named(word, in: NotationWords.entity) != nil else {
                throw problem(
                    "'\(NotationText.short(word))' begins no part of an entity\(suggestion(word, Self.entityWords))",
                    at: token)
            }
            try detail(of: "an entity", NotationWords.entity, into: &entity)
        }
    }

    /// `unique firstName, lastName`
    private mutating func list(_ name: String, _ item: String) throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement(name, at: try take())
        repeat {
            var element = NotationStatement(item, at: try peek())
            element.attributes["value"] = try self.name("the name of a property")
            statement.children.append(element.element)
        } while try take(",")
        return statement.element
    }

    /// `index byName: name, date descending, expression "lower:(title)" string where "date != nil"`
    private mutating func index() throws(NotationProblem) -> SourceElement {
        try take()
        var statement = NotationStatement("fetchIndex", at: try peek())
        let name = try name("the name of an index")
        key = name
        statement.attributes["name"] = name
        guard try takeColon() else {
            throw problem("expected ':' and the properties of index '\(NotationText.short(name))'", at: try peek())
        }
        repeat { statement.children.append(try indexElement()) } while try take(",")
        if try !peek().startsLine, try take(word: "where") {
            statement.attributes["partialIndexPredicate"] = try predicate("partialIndexPredicate", into: &statement)
        }
        return statement.element
    }

    private static let indexWords = ["ascending", "descending", "rtree", "type", "named", "where"]

    private mutating func indexElement() throws(NotationProblem) -> SourceElement {
        var statement = NotationStatement("fetchIndexElement", at: try peek())
        let second = try peekSecond()
        if NotationText.plain(try peek().word ?? "") == "expression", case .text(let text) = second.kind {
            try take()
            try take()
            statement.attributes["expression"] = text
        } else {
            statement.attributes["property"] = try name("the name of a property")
        }
        while let word = try peek().word, try !peek().startsLine, NotationText.plain(word) != "where" {
            let token = try take()
            switch NotationText.plain(word) {
            case "ascending": statement.attributes["order"] = "ascending"
            case "descending": statement.attributes["order"] = "descending"
            case "rtree": statement.attributes["type"] = "RTree"
            case "type" where statement.attributes["expression"] != nil:
                statement.attributes["expressionType"] = try typeName()
            case "named" where statement.attributes["expression"] != nil:
                statement.attributes["expressionName"] = try name("the name of an expression")
            default:
                throw problem(
                    "'\(NotationText.short(word))' says nothing about an index\(suggestion(word, Self.indexWords))",
                    at: token)
            }
        }
        return statement.element
    }
}
