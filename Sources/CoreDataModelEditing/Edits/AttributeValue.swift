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
            guard let count = SourceNumber.count(value), count >= 0 else {
                throw refusal("‘\(value)’ is no number from 0 to 2147483647.")
            }
            return count == 0 ? nil : String(count)
        }
        if intervals.contains(attribute) {
            if let interval = date(value) { return SourceText.real(interval) }
            throw refusal("‘\(value)’ is no date. Write it as 2026-01-31 or 2026-01-31T12:00:00Z (UTC).")
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
        switch attribute {
        case "defaultValueString", "minValueString", "maxValueString":
            try checkNumber(value, attribute, element["attributeType"] ?? "")
        case "regularExpressionString":
            guard (try? NSRegularExpression(pattern: value)) != nil else {
                throw refusal("The regular expression can't be read.")
            }
        default: break
        }
        return value
    }

    /// The interval of a date, as text or as seconds since 2001.
    private static func date(_ text: String) -> Double? {
        let full = text.count == 16 || text.count == 19 ? text + (text.count == 16 ? ":00Z" : "Z") : text
        if let interval = TextNotationDate.interval(full) { return interval }
        guard let seconds = Double(text), seconds.isFinite else { return nil }
        return seconds
    }

    /// The readable form of a date, which is given as an interval; the given text if it isn't an interval.
    package static func dateText(_ interval: String) -> String {
        guard let value = Double(interval), let text = TextNotationDate.text(value) else { return interval }
        return text
    }

    private static func checkNumber(_ value: String, _ attribute: String, _ type: String) throws {
        func refuse(_ kind: String) -> ModelEditError {
            ModelEditError("‘\(value)’ is no \(kind).", attribute: attribute)
        }
        let isLimit = attribute != "defaultValueString"
        switch type {
        case "Integer 16": guard Int16(value) != nil else { throw refuse("whole number from -32768 to 32767") }
        case "Integer 32":
            guard Int32(value) != nil else { throw refuse("whole number from -2147483648 to 2147483647") }
        case "Integer 64": guard Int64(value) != nil else { throw refuse("whole number of 64 bits") }
        case "Double", "Float", "Decimal":
            guard Double(value)?.isFinite == true else { throw refuse("number, such as 1.5") }
        case "Boolean":
            guard isLimit || ["YES", "NO"].contains(value) else { throw refuse("YES or NO") }
        case "UUID":
            guard isLimit || UUID(uuidString: value) != nil else {
                throw refuse("UUID, such as 00000000-0000-0000-0000-000000000000")
            }
        case "URI": guard isLimit || URL(string: value) != nil else { throw refuse("URL") }
        case "String":
            guard !isLimit || (Int32(value) ?? -1) >= 0 else { throw refuse("length, a whole number from 0") }
        default: break
        }
    }
}
