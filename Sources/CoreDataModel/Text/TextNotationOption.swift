// SPDX-License-Identifier: Apache-2.0

/// An option of a statement: a keyword with or without a value, which sets an attribute of the source element.
struct TextNotationOption {
    enum Kind {
        /// A flag: `optional`, `ordered`.
        case flag
        /// The opposite of a flag: `required` for the attribute `optional`.
        case opposite
        /// YES, NO and an absent value have different meanings: `syncable`, `syncable: no`, `syncable: unset`.
        case state
        /// A flag that is on by default: `subentities: no`.
        case off
        case name
        case text
        /// A text with values for its placeholders: `"date > %@" with [date "2001-01-01"]`.
        case predicate
        /// The text that the editor displays for a date.
        case displayedText
        case count
        case choice([(word: String, value: String)])
        case derivation
        case defaultValue
        case limit
        case lengthLimit
    }

    let word: String
    let attribute: String
    let kind: Kind

    init(_ word: String, _ attribute: String, _ kind: Kind) {
        self.word = word
        self.attribute = attribute
        self.kind = kind
    }

    /// The option of a table for a keyword. Case and hyphens don't matter.
    static func named(_ word: String, in table: [TextNotationOption]) -> TextNotationOption? {
        let normalized = TextNotationText.normalized(word)
        return table.first { TextNotationText.normalized($0.word) == normalized }
    }
}

/// The options of each kind of statement, in the order in which they are written.
enum TextNotationVocabulary {
    /// The keywords for types of attributes. The first keyword of each type is written.
    static let types: [(word: String, name: String)] = [
        ("string", "String"), ("integer16", "Integer 16"), ("integer32", "Integer 32"), ("integer64", "Integer 64"),
        ("boolean", "Boolean"), ("double", "Double"), ("float", "Float"), ("decimal", "Decimal"), ("date", "Date"),
        ("binary", "Binary"), ("uuid", "UUID"), ("uri", "URI"), ("transformable", "Transformable"),
        ("composite", "Composite"),
        ("undefined", "Undefined"), ("object-id", "ObjectID"), ("int16", "Integer 16"), ("int32", "Integer 32"),
        ("int64", "Integer 64"), ("bool", "Boolean"), ("data", "Binary"), ("url", "URI"),
    ]

    static let rules = [
        (word: "nullify", value: "Nullify"), (word: "cascade", value: "Cascade"), (word: "deny", value: "Deny"),
        (word: "no-action", value: "No Action"),
    ]

    static let results = [
        (word: "objects", value: "0"), (word: "ids", value: "1"), (word: "dictionaries", value: "2"),
        (word: "count", value: "4"),
    ]

    private static let required = TextNotationOption("required", "optional", .opposite)
    private static let optional = TextNotationOption("optional", "optional", .flag)

    /// The last options of every property.
    private static let shared = [
        TextNotationOption("indexed", "indexed", .flag),
        TextNotationOption("spotlight", "spotlightIndexingEnabled", .flag),
        TextNotationOption("external-record", "storedInTruthFile", .flag),
        TextNotationOption("renamed-from", "elementID", .name),
        TextNotationOption("hash-modifier", "versionHashModifier", .text),
        TextNotationOption("syncable", "syncable", .state),
    ]

    static let attribute =
        [
            required, optional,
            TextNotationOption("transient", "transient", .flag),
            TextNotationOption("derived", "derivationExpression", .derivation),
            TextNotationOption("filter", "derivationFilter", .predicate),
            TextNotationOption("default", "defaultValueString", .defaultValue),
            TextNotationOption("min", "minValueString", .limit),
            TextNotationOption("max", "maxValueString", .limit),
            TextNotationOption("min-length", "minValueString", .lengthLimit),
            TextNotationOption("max-length", "maxValueString", .lengthLimit),
            TextNotationOption("matches", "regularExpressionString", .text),
            TextNotationOption("class", "customClassName", .name),
            TextNotationOption("transformer", "valueTransformerName", .name),
            TextNotationOption("scalar", "usesScalarValueType", .state),
            TextNotationOption("external-storage", "allowsExternalBinaryDataStorage", .flag),
            TextNotationOption("cloud-encryption", "allowsCloudEncryption", .flag),
            TextNotationOption("preserve-after-deletion", "preserveAfterDeletion", .flag),
        ] + shared + [
            TextNotationOption("default-shown", "defaultValueString", .displayedText),
            TextNotationOption("min-shown", "minValueString", .displayedText),
            TextNotationOption("max-shown", "maxValueString", .displayedText),
        ]

    static let relationship =
        [
            TextNotationOption("inverse", "inverseName", .name),
            TextNotationOption("inverse-entity", "inverseEntity", .name),
            TextNotationOption("delete", "deletionRule", .choice(rules)),
            required, optional,
            TextNotationOption("ordered", "ordered", .flag),
            TextNotationOption("min", "minCount", .count),
            TextNotationOption("max", "maxCount", .count),
            TextNotationOption("transient", "transient", .flag),
        ] + shared

    static let request = [
        TextNotationOption("predicate", "predicateString", .predicate),
        TextNotationOption("limit", "fetchLimit", .count),
        TextNotationOption("offset", "fetchOffset", .count),
        TextNotationOption("batch", "fetchBatchSize", .count),
        TextNotationOption("result", "resultType", .choice(results)),
        TextNotationOption("subentities", "includeSubentities", .off),
        TextNotationOption("property-values", "includePropertyValues", .off),
        TextNotationOption("pending-changes", "includesPendingChanges", .off),
        TextNotationOption("faults", "returnObjectsAsFaults", .off),
        TextNotationOption("distinct", "returnDistinctResults", .flag),
        TextNotationOption("refresh", "refreshesRefetchedObjects", .flag),
        TextNotationOption("having", "havingPredicate", .predicate),
    ]

    static let fetched = [required, optional, TextNotationOption("transient", "transient", .off)] + shared

    static let entity = [
        TextNotationOption("class", "representedClassName", .name),
        TextNotationOption("parent", "parentEntity", .name),
        TextNotationOption("abstract", "isAbstract", .flag),
        TextNotationOption("renamed-from", "elementID", .name),
        TextNotationOption("hash-modifier", "versionHashModifier", .text),
        TextNotationOption("generate", "codeGenerationType", .name),
        TextNotationOption("display-name", "coreSpotlightDisplayNameExpression", .text),
        TextNotationOption("legacy-indexes", "legacyIndexes", .choice([(word: "explicit", value: "explicit")])),
        TextNotationOption("syncable", "syncable", .state),
    ]

    static let model = [
        TextNotationOption("version", "userDefinedModelVersionIdentifier", .text),
        TextNotationOption("language", "sourceLanguage", .state),
        TextNotationOption("minimum-tools", "minimumToolsVersion", .state),
        TextNotationOption("tools", "lastSavedToolsVersion", .state),
        TextNotationOption("system", "systemVersion", .state),
        TextNotationOption("cloud-kit", "usedWithCloudKit", .state),
        TextNotationOption("swift-data", "usedWithSwiftData", .state),
        TextNotationOption("mac-os", "macOSVersion", .state),
        TextNotationOption("ios", "iOSVersion", .state),
        TextNotationOption("name", "name", .text),
        TextNotationOption("document", "type", .state),
        TextNotationOption("document-version", "documentVersion", .state),
        TextNotationOption(
            "syncable", TextNotationDefaults.syncableAttribute, .choice(TextNotationDefaults.Syncable.choices)),
        TextNotationOption(
            "scalars", TextNotationDefaults.scalarsAttribute, .choice(TextNotationDefaults.Scalars.choices)),
    ]

    /// The attributes of a model that has other editor attributes.
    static let defaultDocumentAttributes = ["type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0"]
}
