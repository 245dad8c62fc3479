import CoreDataModel
import CoreDataPredicates

/// Brings constants of predicates into the form in which the store keeps values.
struct SQLConstants {
    let schema: SQLSchema
    let references: SQLObjectReference.Resolver

    /// The stored form of a constant, to be compared with values of a kind.
    ///
    /// - Returns: `nil` for a constant that no value of the kind is equal to: one of another type, an object that isn't
    ///   in the store, or a NaN.
    func value(_ constant: Any, as kind: SQLValueKind) -> SQLValue? {
        switch kind {
        case .integer, .real, .decimal: return Self.number(constant)
        case .date: return (constant as? Date).flatMap { Self.real($0.timeIntervalSinceReferenceDate) }
        case .string: return (constant as? String).map(SQLValue.text)
        case .uri: return constant is String ? nil : (constant as? URL).map { .text($0.absoluteString) }
        case .uuid: return constant is String ? nil : (constant as? UUID).map(Self.blob)
        case .data: return (constant as? Data).map(SQLValue.blob)
        case .object(let entity): return key(constant, in: entity.table)
        case .entity: return entityNumber(constant)
        case .any: return natural(constant)?.value
        case .opaque: return nil
        }
    }

    /// A constant on its own, as it is stored.
    func natural(_ constant: Any) -> (value: SQLValue, kind: SQLValueKind)? {
        if let string = constant as? String { return (.text(string), .string) }
        if let value = Self.number(constant) {
            if constant is NSDecimalNumber || constant is Decimal { return (value, .decimal) }
            if case .integer = value { return (value, .integer) }
            return (value, .real)
        }
        if let date = constant as? Date { return Self.real(date.timeIntervalSinceReferenceDate).map { ($0, .date) } }
        if let uuid = constant as? UUID { return (Self.blob(uuid), .uuid) }
        if let url = constant as? URL { return (.text(url.absoluteString), .uri) }
        if let data = constant as? Data { return (.blob(data), .data) }
        if let reference = reference(constant), let entity = schema.entitiesByName[reference.entityName],
            let key = reference.key
        {
            return (.integer(key), .object(entity))
        }
        return entityNumber(constant).map { ($0, .entity) }
    }

    /// What an object or an object ID refers to.
    func reference(_ constant: Any) -> SQLObjectReference? {
        references((constant as? any ComparableByIdentity)?.comparisonIdentity ?? constant)
    }

    private func key(_ constant: Any, in table: SQLTable) -> SQLValue? {
        guard let reference = reference(constant), let key = reference.key,
            schema.entitiesByName[reference.entityName]?.table === table
        else { return nil }
        return .integer(key)
    }

    private func entityNumber(_ constant: Any) -> SQLValue? {
        (constant as? NSEntityDescription).flatMap(schema.entity(for:)).map { .integer(Int64($0.number)) }
    }

    private static func number(_ constant: Any) -> SQLValue? {
        guard let number = Numbers.number(constant) else { return nil }
        if let decimal = number as? NSDecimalNumber {
            // Decimal columns hold doubles, or integers where the value is whole.
            let double = decimal.decimalValue.nearestDouble
            if double.magnitude >= 0x1p53, let integer = Int64(decimal.stringValue) { return .integer(integer) }
            return real(double)
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return real(number.doubleValue)
        case UInt8(ascii: "Q"):
            return Int64(exactly: number.uint64Value).map(SQLValue.integer) ?? .real(Double(number.uint64Value))
        default: return .integer(number.int64Value)
        }
    }

    /// SQLite takes a NaN for NULL, which would be equal to a missing value.
    private static func real(_ value: Double) -> SQLValue? {
        value.isNaN ? nil : .real(value)
    }

    private static func blob(_ uuid: UUID) -> SQLValue {
        withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }
    }
}
