import CoreDataModel
import CoreDataPredicates
import OpenCoreData

/// Few different values of each type, so that comparisons find some equal ones.
enum LibraryValues {
    static let strings = [
        "", "a", "A", "ab", "Abba", "abba", "ABBA", "café", "CAFÉ", "cafe", "Straße", "STRASSE", "x*y?", "50%", "ñandú",
        "日本", "😀 smile", "line\nbreak", "nul\u{0}inside", "O'Hara", "Kelvin \u{212A}",
    ]
    static let numbers: [Int] = [-7, -1, 0, 1, 2, 3, 5, 40, 41]
    static let reals: [Double] = [-1.5, 0, 0.5, 1, 2, 2.5, 40, 1e9]
    static let dates = [0, 0.5, 86_400, 700_000_000.25].map { Date(timeIntervalSinceReferenceDate: $0) }
    static let identifiers = (1...4).map { UUID(uuidString: "0000000\($0)-1111-2222-3333-44445555666\($0)")! }
    static let links = ["http://a.example/", "http://b.example/x?y=z"].map { URL(string: $0)! }
    static let blobs = [Data(), Data([0]), Data([0, 1]), Data([1, 0, 255])]

    static func value(of type: NSAttributeType, _ random: inout SeededGenerator) -> Any? {
        switch type {
        case .stringAttributeType: strings.randomElement(using: &random)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            NSNumber(value: numbers.randomElement(using: &random)!)
        case .doubleAttributeType: NSNumber(value: reals.randomElement(using: &random)!)
        case .decimalAttributeType: NSDecimalNumber(decimal: Decimal(reals.randomElement(using: &random)!))
        case .booleanAttributeType: NSNumber(value: Bool.random(using: &random))
        case .dateAttributeType: dates.randomElement(using: &random)
        case .UUIDAttributeType: identifiers.randomElement(using: &random)
        case .URIAttributeType: links.randomElement(using: &random)
        case .binaryDataAttributeType: blobs.randomElement(using: &random)
        default: nil
        }
    }

    static func stored(_ value: Any) -> SQLValue {
        switch value {
        case let string as String: .text(string)
        case let number as NSDecimalNumber: .real(number.doubleValue)
        case let number as NSNumber:
            number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "d"))
                ? .real(number.doubleValue) : .integer(number.int64Value)
        case let date as Date: .real(date.timeIntervalSinceReferenceDate)
        case let uuid as UUID: withUnsafeBytes(of: uuid.uuid) { .bytes(Data($0)) }
        case let url as URL: .text(url.absoluteString)
        case let data as Data: .bytes(data)
        default: .null
        }
    }
}
