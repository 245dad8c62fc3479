/// The spelling of types and rules in source models.
enum SourceSpelling {
    static let attributeTypes: [(name: String, type: NSAttributeType)] = [
        ("Undefined", .undefinedAttributeType), ("Integer 16", .integer16AttributeType),
        ("Integer 32", .integer32AttributeType),
        ("Integer 64", .integer64AttributeType), ("Decimal", .decimalAttributeType), ("Double", .doubleAttributeType),
        ("Float", .floatAttributeType), ("String", .stringAttributeType), ("Boolean", .booleanAttributeType),
        ("Date", .dateAttributeType), ("Binary", .binaryDataAttributeType), ("UUID", .UUIDAttributeType),
        ("URI", .URIAttributeType), ("Transformable", .transformableAttributeType),
        ("ObjectID", .objectIDAttributeType),
        ("Composite", .compositeAttributeType),
    ]

    static let deleteRules: [(name: String, rule: NSDeleteRule)] = [
        ("No Action", .noActionDeleteRule), ("Nullify", .nullifyDeleteRule), ("Cascade", .cascadeDeleteRule),
        ("Deny", .denyDeleteRule),
    ]

    /// How sort descriptors compare where nothing else is said.
    static let usualComparison = "compare:"
    /// The methods by which sort descriptors can compare; any other would stop the program.
    static let comparisons = [
        usualComparison, "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
    ]

    static func attributeType(named name: String) -> NSAttributeType? { attributeTypes.first { $0.name == name }?.type }

    static func name(of type: NSAttributeType) -> String {
        attributeTypes.first { $0.type == type }?.name ?? "Undefined"
    }

    static func deleteRule(named name: String) -> NSDeleteRule? { deleteRules.first { $0.name == name }?.rule }

    static func name(of rule: NSDeleteRule) -> String { deleteRules.first { $0.rule == rule }?.name ?? "Nullify" }
}

extension NSAttributeType {
    var isInteger: Bool {
        self == .integer16AttributeType || self == .integer32AttributeType || self == .integer64AttributeType
    }

    var isNumber: Bool {
        isInteger || self == .doubleAttributeType || self == .floatAttributeType || self == .decimalAttributeType
    }
}
