struct PredicateParser {
    let format: String
    init(format: String, arguments: [Any]) throws { self.format = format }
    mutating func predicate() throws -> NSPredicate { throw PredicateFormatError(format: format, position: 0, expected: "") }
    mutating func expression() throws -> NSExpression { throw PredicateFormatError(format: format, position: 0, expected: "") }
}
