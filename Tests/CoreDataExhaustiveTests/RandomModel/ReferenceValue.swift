import CoreData

/// An attribute's value in the reference. The attribute's type determines the value in Core Data.
enum ReferenceValue: Hashable, CustomStringConvertible {
    case none
    /// Integers and Booleans.
    case integer(Int64)
    /// Real numbers, and dates as seconds.
    case real(Double)
    /// Strings, decimals, URIs and UUIDs.
    case text(String)
    case bytes([UInt8])

    var description: String {
        switch self {
        case .none: "nil"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .bytes(let value): "\(value)"
        }
    }

    /// The value as it is given to Core Data.
    func object(_ type: NSAttributeType) -> Any? {
        switch (self, type) {
        case (.none, _): nil
        case (.integer(let value), .booleanAttributeType): NSNumber(value: value != 0)
        case (.integer(let value), _): NSNumber(value: value)
        case (.real(let value), .dateAttributeType): Date(timeIntervalSinceReferenceDate: value)
        case (.real(let value), .floatAttributeType): NSNumber(value: Float(value))
        case (.real(let value), _): NSNumber(value: value)
        case (.text(let value), .decimalAttributeType): NSDecimalNumber(string: value)
        case (.text(let value), .UUIDAttributeType): UUID(uuidString: value)!
        case (.text(let value), .URIAttributeType): URL(string: value)!
        case (.text(let value), _): value
        case (.bytes(let value), _): Data(value)
        }
    }

    /// A value that Core Data has returned.
    init(_ object: Any?, _ type: NSAttributeType) {
        switch object {
        case nil, is NSNull: self = .none
        case let value as Date: self = .real(value.timeIntervalSinceReferenceDate)
        case let value as Data: self = .bytes([UInt8](value))
        case let value as UUID: self = .text(value.uuidString)
        case let value as URL: self = .text(value.absoluteString)
        case let value as NSDecimalNumber where type == .decimalAttributeType: self = .text(value.stringValue)
        case let value as String: self = .text(value)
        case let value as NSNumber where type == .doubleAttributeType || type == .floatAttributeType:
            self = .real(value.doubleValue)
        case let value as NSNumber: self = .integer(value.int64Value)
        default: self = .text("unexpected \(Swift.type(of: object!)) \(object!)")
        }
    }

    /// One of few values, so that equal ones occur; nil sometimes.
    static func random(_ attribute: RandomSchema.Attribute, using generator: inout SeededGenerator) -> ReferenceValue {
        if Int.random(in: 0..<(attribute.isOptional ? 5 : 25), using: &generator) == 0 { return .none }
        let number = Int64.random(in: 0..<6, using: &generator)
        switch attribute.type {
        case .booleanAttributeType: return .integer(number & 1)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return .integer(number)
        case .doubleAttributeType, .floatAttributeType, .dateAttributeType: return .real(Double(number) * 0.25)
        case .decimalAttributeType: return .text("\(number).25")
        case .UUIDAttributeType: return .text("00000000-0000-0000-0000-00000000000\(number)")
        case .URIAttributeType: return .text("http://example.org/\(number)")
        case .binaryDataAttributeType: return .bytes([UInt8](repeating: UInt8(number), count: Int(number)))
        default: return .text(["a", "b", "Ä", "", "o'c", "f"][Int(number)])
        }
    }
}
