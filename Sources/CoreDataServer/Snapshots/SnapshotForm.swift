// SPDX-License-Identifier: Apache-2.0

/// How the values of an attribute look in a snapshot: numbers and Booleans as those of JSON, other values as the texts
/// of `AttributeText`.
struct SnapshotForm: Sendable {
    let type: NSAttributeType
    /// The elements of a composite attribute, by name.
    let elements: [String: SnapshotForm]

    /// - Throws: `NSCoreDataError` (134060) for an attribute whose values only the program can read.
    init(_ attribute: NSAttributeDescription, entity: String) throws {
        type = attribute.attributeType
        if [.undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType].contains(type) {
            throw SnapshotShape.error(
                "The attribute \u{2018}\(attribute.name)\u{2019} of \(entity) has no type that JSON could express.")
        }
        var elements: [String: SnapshotForm] = [:]
        for element in (attribute as? NSCompositeAttributeDescription)?.elements ?? [] {
            elements[element.name] = try SnapshotForm(element, entity: entity)
        }
        self.elements = elements
    }

    /// A value of the attribute in the form of a snapshot.
    func snapshotValue(_ value: Any?) -> SnapshotValue {
        guard let value, !(value is NSNull), type.accepts(value) else { return .null }
        switch (type, value) {
        case (.doubleAttributeType, let number as NSNumber), (.floatAttributeType, let number as NSNumber):
            // JSON has no infinity.
            return number.doubleValue.isFinite ? .number(number.doubleValue) : .null
        case (.booleanAttributeType, let number as NSNumber): return .bool(number.boolValue)
        case (.decimalAttributeType, let number as NSNumber) where number.decimalOrNaN.isNaN: return .null
        case (let type, let number as NSNumber) where type.isInteger: return .integer(number.int64Value)
        case (.dateAttributeType, let date as Date): return .string(Self.text(date))
        case (.compositeAttributeType, let values as [String: Any]):
            return .object(elements.reduce(into: [:]) { $0[$1.key] = $1.value.snapshotValue(values[$1.key]) })
        default: return AttributeText.text(of: value, type: type).map { .string($0) } ?? .null
        }
    }

    /// A date to the microsecond, which dates far away don't have.
    private static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let rounded = abs(seconds) < 9e9 ? (seconds * 1_000_000).rounded() / 1_000_000 : seconds
        return DateText.text(of: Date(timeIntervalSinceReferenceDate: rounded), fractionDigits: 1)
    }

    /// A value of a snapshot in the form of the attribute.
    ///
    /// - Throws: ``SnapshotError`` with the key path below the attribute.
    func attributeValue(_ value: SnapshotValue) throws(SnapshotError) -> NSObject? {
        switch (type, value) {
        case (_, .null): return nil
        case (let type, .integer(let number)) where type.isInteger:
            guard type.integerRange.contains(number) else {
                throw outOfRange("\(type.integerRange.lowerBound) to \(type.integerRange.upperBound)")
            }
            return NSNumber(value: number)
        case (let type, .number) where type.isInteger:
            throw SnapshotError("", .wrongType, "The number is not whole, or is too large.")
        case (.doubleAttributeType, .integer(let number)): return NSNumber(value: Double(number))
        case (.doubleAttributeType, .number(let number)):
            guard number.isFinite else { throw outOfRange("finite numbers") }
            return NSNumber(value: number)
        case (.floatAttributeType, .integer(let number)): return NSNumber(value: Float(number))
        case (.floatAttributeType, .number(let number)):
            guard number.isFinite, let float = try? AttributeText.float(number) else {
                throw outOfRange("the numbers of a Float")
            }
            return NSNumber(value: float)
        case (.decimalAttributeType, .integer(let number)): return NSDecimalNumber(value: number)
        case (.booleanAttributeType, .bool(let flag)): return NSNumber(value: flag)
        case (.compositeAttributeType, .object(let values)): return try compositeValue(values)
        case (_, .string(let text)) where isText: return try object(of: text)
        default: throw wrong(value)
        }
    }

    /// Whether a snapshot has the values as texts.
    private var isText: Bool {
        type == .decimalAttributeType
            || !type.isNumber && ![.booleanAttributeType, .compositeAttributeType].contains(type)
    }

    private func object(of text: String) throws(SnapshotError) -> NSObject? {
        let value: Any
        do { value = try AttributeText.value(of: text, type: type) } catch { throw wrong(.string(text)) }
        // A snapshot has null in place of a value that is no number.
        if type == .decimalAttributeType, (value as? NSDecimalNumber)?.decimalValue.isNaN != false {
            throw wrong(.string(text))
        }
        return value as AnyObject as? NSObject
    }

    private func compositeValue(_ values: [String: SnapshotValue]) throws(SnapshotError) -> NSDictionary {
        var result: [String: Any] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let form = elements[key] else {
                throw SnapshotError(key, .unknownKey, "The composite has no such element.")
            }
            do {
                result[key] = try form.attributeValue(value)
            } catch {
                throw error.below(key)
            }
        }
        return NSDictionary(dictionary: result)
    }

    private func wrong(_ value: SnapshotValue) -> SnapshotError {
        SnapshotError("", .wrongType, "The value must be \(name), and is \(value.formName).")
    }

    private func outOfRange(_ range: String) -> SnapshotError {
        SnapshotError("", .wrongType, "The number is out of range: \(range).")
    }

    private var name: String {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "a whole number"
        case .doubleAttributeType, .floatAttributeType: "a number"
        case .decimalAttributeType: "a decimal number in a text, such as \"12.50\""
        case .booleanAttributeType: "true or false"
        case .dateAttributeType: "a date in ISO 8601, such as \"2026-11-26T15:04:05Z\""
        case .binaryDataAttributeType: "a text in Base64"
        case .UUIDAttributeType: "a UUID"
        case .URIAttributeType: "a URL"
        case .compositeAttributeType: "an object with the elements of the composite"
        default: "a text"
        }
    }
}

extension SnapshotError {
    /// The same problems, seen from further above.
    func below(_ key: String) -> SnapshotError {
        SnapshotError(
            problems.map {
                let isIndex = $0.keyPath.isEmpty || $0.keyPath.hasPrefix("[")
                return Problem(
                    keyPath: isIndex ? key + $0.keyPath : "\(key).\($0.keyPath)", kind: $0.kind, message: $0.message)
            })
    }
}
