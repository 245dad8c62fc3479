// SPDX-License-Identifier: Apache-2.0

/// The names of types and rules in source models.
package enum SourceSpelling {
    package static let attributeTypes: [(name: String, type: NSAttributeType)] = [
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

    /// The comparison of sort descriptors that name none.
    static let defaultComparison = "compare:"
    /// The selectors that sort descriptors can use. Others would stop the program.
    static let comparisons = [
        defaultComparison, "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
    ]

    package static func attributeType(named name: String) -> NSAttributeType? {
        attributeTypes.first { $0.name == name }?.type
    }

    /// Whether the name denotes a type of numbers.
    package static func isNumber(_ type: String) -> Bool { attributeType(named: type)?.isNumber ?? false }

    static func name(of type: NSAttributeType) -> String {
        attributeTypes.first { $0.type == type }?.name ?? "Undefined"
    }

    static func deleteRule(named name: String) -> NSDeleteRule? { deleteRules.first { $0.name == name }?.rule }

    static func name(of rule: NSDeleteRule) -> String { deleteRules.first { $0.rule == rule }?.name ?? "Nullify" }
}

extension NSAttributeType {
    package var isInteger: Bool {
        self == .integer16AttributeType || self == .integer32AttributeType || self == .integer64AttributeType
    }

    package var isNumber: Bool {
        isInteger || self == .doubleAttributeType || self == .floatAttributeType || self == .decimalAttributeType
    }
}

/// The attributes of source models that only the editor or class generation reads. Descriptions store them, so that a
/// source model is written as it was read.
enum SourceEditorAttributes {
    static let model = [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
        "macOSVersion",
        "iOSVersion", "name", "usedWithCloudKit", "usedWithSwiftData",
    ]
    static let entity = ["syncable", "codeGenerationType"]
    static let property = [
        "usesScalarValueType", "syncable", "inverseEntity", "defaultValueString", "minValueString", "maxValueString",
    ]
}

/// The file format of a tree of source elements.
package enum SourceFormat: Sendable {
    /// Xcode's XML. Writing a model refuses parts that XML can't represent. Reading ignores their elements.
    case xml
    /// The text notation, which can represent every model.
    case textNotation
}
