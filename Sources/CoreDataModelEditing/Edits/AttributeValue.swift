// SPDX-License-Identifier: Apache-2.0

/// Checks the values that a person types for the attributes of a source model, and turns them into Xcode's form.
package enum AttributeValue {
    private static let flags: Set<String> = [
        "optional", "transient", "toMany", "ordered", "isAbstract", "allowsExternalBinaryDataStorage",
        "allowsCloudEncryption", "spotlightIndexingEnabled", "storedInTruthFile", "indexed", "preserveAfterDeletion",
        "returnDistinctResults", "refreshesRefetchedObjects", "usedWithCloudKit", "derived",
    ]
    /// Flags that are on without the attribute.
    private static let opposites: Set<String> = [
        "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
    ]
    private static let counts: Set<String> = ["minCount", "maxCount", "fetchLimit", "fetchBatchSize", "fetchOffset"]
    private static let intervals: Set<String> = [
        "defaultDateTimeInterval", "minDateTimeInterval", "maxDateTimeInterval",
    ]
    private static let predicates: Set<String> = ["predicateString", "partialIndexPredicate", "havingPredicate"]
    private static let expressions: Set<String> = [
        "derivationExpression", "coreSpotlightDisplayNameExpression", "expression",
    ]

    /// The value in Xcode's form; nil where the attribute is left out.
    ///
    /// - Throws: `ModelEditError` for a value that the attribute can't have.
    static func checked(_ given: String?, _ attribute: String, of element: SourceTree) throws -> String? {
        guard let given else { return nil }
        func refusal(_ reason: String) -> ModelEditError { ModelEditError(reason, attribute: attribute) }
        guard XMLValue.canRepresent(given), given.utf8.count <= 100_000 else {
            throw refusal("The value has characters that a model file can't have, or is too long.")
        }
        // Spaces count in a default text and in a pattern.
        let isText = ["defaultValueString", "regularExpressionString"].contains(attribute)
        let value = isText && element["attributeType"] == "String" ? given : given.trimmingCharacters(in: .whitespaces)
        if value.isEmpty { return nil }
        if flags.contains(attribute) { return value == "YES" ? "YES" : nil }
        if opposites.contains(attribute) { return value == "NO" ? "NO" : nil }
        if counts.contains(attribute) {
            guard let count = SourceText.count(value), count >= 0 else {
                throw refusal("‘\(value)’ is no number from 0 to 2147483647.")
            }
            return count == 0 ? nil : String(count)
        }
        if predicates.contains(attribute) {
            do { _ = try NSPredicate.parse(value, arguments: []) } catch {
                throw refusal("The predicate can't be read: \(error)")
            }
        }
        if expressions.contains(attribute) {
            do { _ = try SourceDerivation.read(value) } catch {
                throw refusal("The expression can't be read: \(error)")
            }
        }
        if attribute == "regularExpressionString", (try? NSRegularExpression(pattern: value)) == nil {
            throw refusal("The regular expression can't be read.")
        }
        let isLimit = ["minValueString", "maxValueString"].contains(attribute)
        let type = element["attributeType"].flatMap(SourceSpelling.attributeType(named:))
        if isLimit, type == .stringAttributeType, SourceText.count(value).map({ $0 < 0 }) ?? true {
            throw refusal("‘\(value)’ is no length, a whole number from 0.")
        }
        let isOfType =
            attribute == "defaultValueString" ? type != .dateAttributeType : isLimit && type?.isNumber == true
        do {
            if intervals.contains(attribute) { return try SourceText.checked(value, type: .dateAttributeType) }
            if isOfType, let type { return try SourceText.checked(value, type: type) }
            return value
        } catch {
            throw refusal("‘\(value)’ \(error.text).")
        }
    }

    /// The readable form of a date, which is given as an interval; the given text if it isn't an interval.
    package static func dateText(_ interval: String) -> String { SourceText.date(interval) ?? interval }
}
