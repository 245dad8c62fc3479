// SPDX-License-Identifier: Apache-2.0

/// How the values of an attribute look in a snapshot.
indirect enum SnapshotForm: Sendable {
    case integer(ClosedRange<Int64>)
    case double
    case float
    case decimal
    case boolean
    case string
    case date
    case data
    case uuid
    case uri
    case composite([String: SnapshotForm])

    /// - Throws: `NSCoreDataError` (134060) for an attribute whose values only the program can read.
    init(_ attribute: NSAttributeDescription, entity: String) throws {
        switch attribute.attributeType {
        case .integer16AttributeType: self = .integer(Int64(Int16.min)...Int64(Int16.max))
        case .integer32AttributeType: self = .integer(Int64(Int32.min)...Int64(Int32.max))
        case .integer64AttributeType: self = .integer(Int64.min...Int64.max)
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .decimalAttributeType: self = .decimal
        case .booleanAttributeType: self = .boolean
        case .stringAttributeType: self = .string
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType: self = .data
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .uri
        case .compositeAttributeType:
            var elements: [String: SnapshotForm] = [:]
            for element in (attribute as? NSCompositeAttributeDescription)?.elements ?? [] {
                elements[element.name] = try SnapshotForm(element, entity: entity)
            }
            self = .composite(elements)
        case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType:
            throw SnapshotShape.error(
                "The attribute \u{2018}\(attribute.name)\u{2019} of \(entity) has no type that JSON could express.")
        @unknown default: throw SnapshotShape.error("The type of \u{2018}\(attribute.name)\u{2019} is unknown.")
        }
    }

    /// A value of the attribute in the form of a snapshot.
    func snapshotValue(_ value: Any?) -> SnapshotValue {
        guard let value, !(value is NSNull) else { return .null }
        switch (self, value) {
        case (.integer, let number as NSNumber): return .integer(number.int64Value)
        case (.double, let number as NSNumber), (.float, let number as NSNumber):
            // JSON has no infinity.
            return number.doubleValue.isFinite ? .number(number.doubleValue) : .null
        case (.boolean, let number as NSNumber): return .bool(number.boolValue)
        case (.decimal, let number as NSDecimalNumber):
            return number.decimalValue.isNaN ? .null : .string(number.stringValue)
        case (.string, let text as String): return .string(text)
        case (.date, let date as Date): return .string(SnapshotDate.text(date))
        case (.data, let data as Data): return .string(data.base64EncodedString())
        case (.uuid, let uuid as UUID): return .string(uuid.uuidString)
        case (.uri, let url as URL): return .string(url.absoluteString)
        case (.composite(let elements), let values as [String: Any]):
            return .object(elements.reduce(into: [:]) { $0[$1.key] = $1.value.snapshotValue(values[$1.key]) })
        default: return .null
        }
    }

    /// A value of a snapshot in the form of the attribute.
    ///
    /// - Throws: ``SnapshotError`` with the key path below the attribute.
    func attributeValue(_ value: SnapshotValue) throws(SnapshotError) -> NSObject? {
        if value == .null { return nil }
        switch (self, value) {
        case (.integer(let range), .integer(let number)):
            guard range.contains(number) else { throw outOfRange("\(range.lowerBound) to \(range.upperBound)") }
            return NSNumber(value: number)
        case (.integer, .number):
            throw SnapshotError("", .wrongType, "The number is not whole, or is too large.")
        case (.double, .integer(let number)): return NSNumber(value: Double(number))
        case (.double, .number(let number)):
            guard number.isFinite else { throw outOfRange("finite numbers") }
            return NSNumber(value: number)
        case (.float, .integer(let number)): return NSNumber(value: Float(number))
        case (.float, .number(let number)):
            guard Float(number).isFinite else { throw outOfRange("the numbers of a Float") }
            return NSNumber(value: Float(number))
        case (.decimal, .integer(let number)): return NSDecimalNumber(value: number)
        case (.decimal, .string(let text)):
            guard let number = SnapshotDecimal.number(text) else { throw wrong(value) }
            return NSDecimalNumber(decimal: number)
        case (.boolean, .bool(let flag)): return NSNumber(value: flag)
        case (.string, .string(let text)): return text as NSString
        case (.date, .string(let text)):
            guard let date = SnapshotDate.date(text) else { throw wrong(value) }
            return date as NSDate
        case (.data, .string(let text)):
            guard let data = Data(base64Encoded: text) else { throw wrong(value) }
            return data as NSData
        case (.uuid, .string(let text)):
            guard let uuid = UUID(uuidString: text) else { throw wrong(value) }
            return uuid as NSUUID
        case (.uri, .string(let text)):
            guard let url = URL(string: text) else { throw wrong(value) }
            return url as NSURL
        case (.composite(let elements), .object(let values)): return try compositeValue(elements, values)
        default: throw wrong(value)
        }
    }

    private func compositeValue(
        _ elements: [String: SnapshotForm], _ values: [String: SnapshotValue]
    ) throws(SnapshotError) -> NSDictionary {
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
        switch self {
        case .integer: "a whole number"
        case .double, .float: "a number"
        case .decimal: "a decimal number in a text, such as \"12.50\""
        case .boolean: "true or false"
        case .string: "a text"
        case .date: "a date in ISO 8601, such as \"2026-11-26T15:04:05Z\""
        case .data: "a text in Base64"
        case .uuid: "a UUID"
        case .uri: "a URL"
        case .composite: "an object with the elements of the composite"
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
