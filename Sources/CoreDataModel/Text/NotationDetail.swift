/// A word that may follow the name of something, with or without a value, and the attribute of the source element that
/// it stands for.
struct NotationDetail {
    enum Kind {
        /// `optional`, `ordered`: said or not.
        case flag
        /// The opposite of a flag: `required` where the attribute says `optional`.
        case opposite
        /// Of YES, NO and nothing each means something of its own: `syncable`, `syncable: no`, `syncable: unset`.
        case state
        /// On where nothing is said: `subentities: no`.
        case off
        case name
        case text
        /// A text with values for its placeholders: `"date > %@" with [date "2001-01-01"]`.
        case predicate
        /// What the editor shows beside a date.
        case shownText
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
    /// Other spellings that are understood.
    let synonyms: [String]

    init(_ word: String, _ attribute: String, _ kind: Kind, _ synonyms: String...) {
        self.word = word
        self.attribute = attribute
        self.kind = kind
        self.synonyms = synonyms
    }

    /// The detail of a table that a word means, whatever its capitals and hyphens.
    static func named(_ word: String, in table: [NotationDetail]) -> NotationDetail? {
        let plain = NotationText.plain(word)
        return table.first { $0.plainWords.contains(plain) }
    }

    private var plainWords: [String] { ([word] + synonyms).map(NotationText.plain) }
}

/// The details of each kind of statement, in the order in which they are written.
enum NotationWords {
    /// The types of attributes; the first word for each is written.
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

    private static let required = NotationDetail("required", "optional", .opposite)
    private static let optional = NotationDetail("optional", "optional", .flag)

    /// What ends the details of every property.
    private static let shared = [
        NotationDetail("indexed", "indexed", .flag),
        NotationDetail("spotlight", "spotlightIndexingEnabled", .flag),
        NotationDetail("external-record", "storedInTruthFile", .flag),
        NotationDetail("renamed-from", "elementID", .name, "renaming-identifier"),
        NotationDetail("hash-modifier", "versionHashModifier", .text, "version-hash-modifier"),
        NotationDetail("syncable", "syncable", .state),
    ]

    static let attribute =
        [
            required, optional,
            NotationDetail("transient", "transient", .flag),
            NotationDetail("derived", "derivationExpression", .derivation, "derivation"),
            NotationDetail("filter", "derivationFilter", .predicate),
            NotationDetail("default", "defaultValueString", .defaultValue, "default-value"),
            NotationDetail("min", "minValueString", .limit, "min-value", "minimum"),
            NotationDetail("max", "maxValueString", .limit, "max-value", "maximum"),
            NotationDetail("min-length", "minValueString", .lengthLimit),
            NotationDetail("max-length", "maxValueString", .lengthLimit),
            NotationDetail("matches", "regularExpressionString", .text, "regular-expression", "pattern"),
            NotationDetail("class", "customClassName", .name, "value-class"),
            NotationDetail("transformer", "valueTransformerName", .name, "value-transformer"),
            NotationDetail("scalar", "usesScalarValueType", .state),
            NotationDetail("external-storage", "allowsExternalBinaryDataStorage", .flag),
            NotationDetail("cloud-encryption", "allowsCloudEncryption", .flag),
            NotationDetail("preserve-after-deletion", "preserveAfterDeletion", .flag),
        ] + shared + [
            NotationDetail("default-shown", "defaultValueString", .shownText),
            NotationDetail("min-shown", "minValueString", .shownText),
            NotationDetail("max-shown", "maxValueString", .shownText),
        ]

    static let relationship =
        [
            NotationDetail("inverse", "inverseName", .name),
            NotationDetail("inverse-entity", "inverseEntity", .name),
            NotationDetail("delete", "deletionRule", .choice(rules), "delete-rule", "deletion-rule"),
            required, optional,
            NotationDetail("ordered", "ordered", .flag),
            NotationDetail("min", "minCount", .count, "min-count", "minimum"),
            NotationDetail("max", "maxCount", .count, "max-count", "maximum"),
            NotationDetail("transient", "transient", .flag),
        ] + shared

    static let request = [
        NotationDetail("predicate", "predicateString", .predicate, "where"),
        NotationDetail("limit", "fetchLimit", .count, "fetch-limit"),
        NotationDetail("offset", "fetchOffset", .count, "fetch-offset"),
        NotationDetail("batch", "fetchBatchSize", .count, "fetch-batch-size", "batch-size"),
        NotationDetail("result", "resultType", .choice(results), "result-type"),
        NotationDetail("subentities", "includeSubentities", .off, "includes-subentities"),
        NotationDetail("property-values", "includePropertyValues", .off, "includes-property-values"),
        NotationDetail("pending-changes", "includesPendingChanges", .off, "includes-pending-changes"),
        NotationDetail("faults", "returnObjectsAsFaults", .off, "returns-objects-as-faults"),
        NotationDetail("distinct", "returnDistinctResults", .flag, "returns-distinct-results"),
        NotationDetail("refresh", "refreshesRefetchedObjects", .flag),
        NotationDetail("having", "havingPredicate", .predicate),
    ]

    static let fetched = [required, optional, NotationDetail("transient", "transient", .off)] + shared

    static let entity = [
        NotationDetail("class", "representedClassName", .name),
        NotationDetail("parent", "parentEntity", .name),
        NotationDetail("abstract", "isAbstract", .flag),
        NotationDetail("renamed-from", "elementID", .name, "renaming-identifier"),
        NotationDetail("hash-modifier", "versionHashModifier", .text, "version-hash-modifier"),
        NotationDetail("generate", "codeGenerationType", .name, "code-generation"),
        NotationDetail("display-name", "coreSpotlightDisplayNameExpression", .text),
        NotationDetail("legacy-indexes", "legacyIndexes", .choice([(word: "explicit", value: "explicit")])),
        NotationDetail("syncable", "syncable", .state),
    ]

    static let model = [
        NotationDetail("version", "userDefinedModelVersionIdentifier", .text, "version-identifier"),
        NotationDetail("language", "sourceLanguage", .state),
        NotationDetail("minimum-tools", "minimumToolsVersion", .state),
        NotationDetail("tools", "lastSavedToolsVersion", .state),
        NotationDetail("system", "systemVersion", .state),
        NotationDetail("cloud-kit", "usedWithCloudKit", .state),
        NotationDetail("swift-data", "usedWithSwiftData", .state),
        NotationDetail("mac-os", "macOSVersion", .state),
        NotationDetail("ios", "iOSVersion", .state),
        NotationDetail("name", "name", .text),
        NotationDetail("document", "type", .state),
        NotationDetail("document-version", "documentVersion", .state),
        NotationDetail("syncable", NotationDefaults.syncableAttribute, .choice(NotationDefaults.Syncable.choices)),
        NotationDetail("scalars", NotationDefaults.scalarsAttribute, .choice(NotationDefaults.Scalars.choices)),
    ]

    /// What a document says of itself where nothing else is said.
    static let usualDocument = ["type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0"]
}
