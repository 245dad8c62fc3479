// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// A setting of an element in the inspector.
struct EditorField {
    enum Control {
        case text
        case multiline
        case number
        case date
        case flag
        /// A flag that is on without the attribute.
        case opposite
        /// Values with their texts.
        case choice([(value: String, text: String)])
    }

    let attribute: String
    let label: String
    let control: Control
    var help: String?
    var placeholder: String?

    init(
        _ attribute: String, _ label: String, _ control: Control = .text, help: String? = nil,
        placeholder: String? = nil
    ) {
        self.attribute = attribute
        self.label = label
        self.control = control
        self.help = help
        self.placeholder = placeholder
    }
}

/// The settings of each kind of element, as Xcode's editor has them.
enum EditorFields {
    /// The types of attributes. Xcode's editor doesn't offer object IDs.
    static let types: [(value: String, text: String)] = SourceSpelling.attributeTypes.map(\.name)
        .filter { $0 != "ObjectID" }.map { ($0, $0 == "Binary" ? "Binary Data" : $0) }

    private static let deleteRules: [(value: String, text: String)] = [
        ("Nullify", "Nullify"), ("Cascade", "Cascade"), ("Deny", "Deny"), ("No Action", "No Action"),
    ]

    /// The options of a choice. A value that is none of the options stands at the end.
    static func options(_ choices: [(value: String, text: String)], _ value: String) -> [HTML] {
        let all = choices.contains { $0.value == value } ? choices : choices + [(value, value)]
        return all.map { choice in
            let mark: HTML = choice.value == value ? " selected" : ""
            return "<option value=\"\(choice.value)\"\(mark)>\(choice.text)</option>"
        }
    }

    /// The groups of settings of an attribute.
    static func attribute(_ element: SourceTree, composites: [String]) -> [(title: String, fields: [EditorField])] {
        let type = element["attributeType"] ?? "Undefined"
        var general = [
            EditorField("attributeType", "Type", .choice(types)), EditorField("optional", "Optional", .flag),
            EditorField("transient", "Transient", .flag, help: "Not in the store."),
        ]
        if type == "Composite" {
            general.insert(EditorField("composite", "Composite", .choice(composites.map { ($0, $0) })), at: 1)
        }
        general += scalar(type)
        return [("General", general), ("Values", values(type)), ("Storage", storage(type)), versioning].filter {
            !$0.1.isEmpty
        }
    }

    private static let dateHint = "2026-01-31T12:00:00Z"

    private static func values(_ type: String) -> [EditorField] {
        switch type {
        case "Boolean":
            [
                EditorField("defaultValueString", "Default", .choice([("", "none"), ("YES", "YES"), ("NO", "NO")]))
            ]
        case "Date":
            [
                EditorField("defaultDateTimeInterval", "Default", .date, help: "In UTC.", placeholder: dateHint),
                EditorField("minDateTimeInterval", "Earliest", .date, placeholder: dateHint),
                EditorField("maxDateTimeInterval", "Latest", .date, placeholder: dateHint),
            ]
        case "String":
            [
                EditorField("defaultValueString", "Default"), EditorField("minValueString", "Min. length", .number),
                EditorField("maxValueString", "Max. length", .number),
                EditorField("regularExpressionString", "Regular expression", help: "The whole text must match it."),
            ]
        case "UUID", "URI": [EditorField("defaultValueString", "Default")]
        case let type where SourceSpelling.isNumber(type):
            [
                EditorField("defaultValueString", "Default"), EditorField("minValueString", "Minimum"),
                EditorField("maxValueString", "Maximum"),
            ]
        default: []
        }
    }

    private static func storage(_ type: String) -> [EditorField] {
        var storage: [EditorField] = []
        if type == "Transformable" {
            storage += [
                EditorField(
                    "valueTransformerName", "Transformer", help: "The name of a value transformer.",
                    placeholder: "NSSecureUnarchiveFromData"),
                EditorField("customClassName", "Class", placeholder: "[String]"),
            ]
        }
        if type == "Binary" {
            storage.append(
                EditorField(
                    "allowsExternalBinaryDataStorage", "Allows external storage", .flag,
                    help: "Large values are files of their own beside the store."))
        }
        if type != "Composite", type != "Undefined" {
            storage.append(
                EditorField(
                    "derivationExpression", "Derived from",
                    help: "The store computes the value; the attribute is derived.",
                    placeholder: "uppercase:(name)"))
        }
        return storage + [
            EditorField(
                "preserveAfterDeletion", "Preserve after deletion", .flag, help: "In the history of the store."),
            EditorField("allowsCloudEncryption", "Allows cloud encryption", .flag),
            EditorField("spotlightIndexingEnabled", "Index in Spotlight", .flag),
            EditorField("storedInTruthFile", "Store in external record file", .flag),
        ]
    }

    private static func scalar(_ type: String) -> [EditorField] {
        let isNumber = SourceSpelling.isNumber(type) && type != "Decimal"
        guard isNumber || ["Boolean", "Date", "UUID"].contains(type) else { return [] }
        let choices = [("YES", "scalar"), ("NO", "object"), ("", "not set")]
        return [EditorField("usesScalarValueType", "In classes", .choice(choices))]
    }

    private static let versioning: (title: String, fields: [EditorField]) = (
        "Versioning",
        [
            EditorField("elementID", "Renaming ID", help: "Its name in the former version."),
            EditorField("versionHashModifier", "Hash modifier", help: "Another text makes another version hash."),
        ]
    )

    static func relationship(
        _ element: SourceTree, entities: [String], inverses: [String]
    ) -> [(title: String, fields: [EditorField])] {
        let isToMany = element.isTrue("toMany")
        var general = [
            EditorField("destinationEntity", "Destination", .choice(entities.map { ($0, $0) })),
            EditorField("inverseName", "Inverse", .choice([("", "No inverse")] + inverses.map { ($0, $0) })),
            EditorField("toMany", "To many", .flag), EditorField("optional", "Optional", .flag),
            EditorField("transient", "Transient", .flag),
            EditorField("deletionRule", "Delete rule", .choice(deleteRules)),
        ]
        if isToMany {
            general.insert(EditorField("ordered", "Ordered", .flag), at: 3)
            general += [
                EditorField("minCount", "Min. count", .number, placeholder: "none"),
                EditorField("maxCount", "Max. count", .number, placeholder: "none"),
            ]
        }
        let storage = [
            EditorField("spotlightIndexingEnabled", "Index in Spotlight", .flag),
            EditorField("storedInTruthFile", "Store in external record file", .flag),
        ]
        return [("General", general), ("Storage", storage), versioning]
    }

    static func entity(parents: [String]) -> [(title: String, fields: [EditorField])] {
        [
            (
                "General",
                [
                    EditorField("isAbstract", "Abstract entity", .flag, help: "Has no objects; its subentities have."),
                    EditorField("parentEntity", "Parent", .choice([("", "No parent")] + parents.map { ($0, $0) })),
                ]
            ),
            (
                "Class",
                [
                    EditorField("className", "Name", placeholder: "NSManagedObject"),
                    EditorField(
                        "module", "Module", help: "‘.’ is the module of the target.", placeholder: "global namespace"),
                    EditorField(
                        "codeGenerationType", "Code generation",
                        .choice([
                            ("", "Manual/None"), ("class", "Class Definition"), ("category", "Category/Extension"),
                        ])),
                ]
            ),
            (
                "Spotlight",
                [EditorField("coreSpotlightDisplayNameExpression", "Display name", placeholder: "name")]
            ),
            versioning,
        ]
    }

    static func fetchRequest(entities: [String]) -> [(title: String, fields: [EditorField])] {
        [
            (
                "Request",
                [
                    EditorField("entity", "Entity", .choice(entities.map { ($0, $0) })),
                    EditorField(
                        "predicateString", "Predicate", .multiline, help: "$NAME is a variable.",
                        placeholder: "name BEGINSWITH $START"),
                    EditorField("fetchLimit", "Limit", .number, placeholder: "none"),
                    EditorField("fetchBatchSize", "Batch size", .number, placeholder: "none"),
                    EditorField(
                        "resultType", "Result",
                        .choice([("", "Objects"), ("1", "Object IDs"), ("2", "Dictionaries"), ("4", "Count")])),
                ]
            ),
            (
                "Options",
                [
                    EditorField("includeSubentities", "Includes subentities", .opposite),
                    EditorField("includePropertyValues", "Includes property values", .opposite),
                    EditorField("includesPendingChanges", "Includes pending changes", .opposite),
                    EditorField("returnObjectsAsFaults", "Returns objects as faults", .opposite),
                    EditorField("returnDistinctResults", "Returns distinct results", .flag),
                ]
            ),
        ]
    }

    /// The kinds of findings that belong to a setting.
    static let kinds: [String: Set<ModelFinding.Kind>] = [
        "name": [.name], "className": [.className, .generation], "parentEntity": [.abstract],
        "inverseName": [.inverse], "deletionRule": [.deleteRule, .cascadeCycle], "attributeType": [.type],
        "defaultValueString": [.defaultValue], "defaultDateTimeInterval": [.defaultValue],
        "minValueString": [.limits], "minDateTimeInterval": [.limits], "minCount": [.limits],
        "valueTransformerName": [.transformer], "elementID": [.renaming], "predicateString": [.fetchRequest],
    ]
}
