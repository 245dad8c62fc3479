// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Converts constants of predicates into values of statements.
struct SQLConstants {
    let schema: SQLSchema
    let references: SQLObjectReference.Resolver

    /// The value of a constant, to be compared with values of a kind.
    ///
    /// - Returns: nil for a constant that no value of the kind is equal to: a constant of another type, an object that
    ///   isn't in the store, or a NaN. Stores contain NULL for NaN, which is a missing value.
    func value(_ constant: Any, as kind: SQLValueKind) -> SQLValue? {
        if let compiled = constant as? SQLQueryConstant {
            return value(compiled.constant, as: kind).map { .parameter(.constant(compiled.index), $0) }
        }
        switch kind {
        case .integer, .real, .decimal: return Self.number(constant)
        case .date: return (constant as? Date).flatMap(Self.timestamp)
        case .string: return (constant as? String).map(SQLValue.text)
        case .uri: return (constant as? URL).map { .text($0.absoluteString) }
        case .uuid: return (constant as? UUID).map(SQLValue.uuid)
        case .data: return (constant as? Data).map(SQLValue.bytes)
        case .object(let entity): return key(constant, in: entity.table)
        case .entity: return entityNumber(constant)
        case .any: return inferred(constant)?.value
        case .opaque: return nil
        }
    }

    /// The value of a constant, and the kind that its class implies.
    func inferred(_ constant: Any) -> (value: SQLValue, kind: SQLValueKind)? {
        if let compiled = constant as? SQLQueryConstant {
            return inferred(compiled.constant).map { (.parameter(.constant(compiled.index), $0.value), $0.kind) }
        }
        switch Self.scalar(constant) {
        case .text(let text)?: return (.text(text), .string)
        case .decimal(let decimal)?: return (.decimal(decimal), .decimal)
        case .integer(let integer)?: return (.integer(integer), .integer)
        case .real(let real)?: return (.real(real), .real)
        case .timestamp(let date)?: return (.timestamp(date), .date)
        case .uuid(let uuid)?: return (.uuid(uuid), .uuid)
        default: break
        }
        if let url = constant as? URL { return (.text(url.absoluteString), .uri) }
        if let data = constant as? Data { return (.bytes(data), .data) }
        if let reference = reference(constant), let entity = schema.entitiesByName[reference.entityName],
            let key = reference.key
        {
            return (.integer(key), .object(entity))
        }
        return entityNumber(constant).map { ($0, .entity) }
    }

    /// The value of a number, text, date or UUID; nil for other constants and for a NaN. It depends on no store.
    static func scalar(_ constant: Any) -> SQLValue? {
        // Numbers come first: a cast of one to another type asks whether it bridges to that.
        if let number = number(constant) { return number }
        if let text = constant as? String { return .text(text) }
        if let date = constant as? Date { return timestamp(date) }
        return (constant as? UUID).map(SQLValue.uuid)
    }

    /// The row that an object or an object ID refers to.
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
            let value = decimal.decimalValue
            return value.isNaN ? nil : .decimal(value)
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"):
            return number.doubleValue.isNaN ? nil : .real(number.doubleValue)
        case UInt8(ascii: "Q"):
            return Int64(exactly: number.uint64Value).map(SQLValue.integer) ?? .real(Double(number.uint64Value))
        default: return .integer(number.int64Value)
        }
    }

    private static func timestamp(_ date: Date) -> SQLValue? {
        date.timeIntervalSinceReferenceDate.isNaN ? nil : .timestamp(date)
    }
}

/// The row that an object in a predicate refers to, for one store.
package struct SQLObjectReference: Sendable, Equatable {
    let entityName: String
    /// The primary key; nil for an object that isn't in this store, because it is pending or belongs to another store.
    /// Such an object equals no row.
    let key: Int64?

    /// Resolves an object ID in a predicate; returns nil for other constants.
    ///
    /// Managed objects are replaced by their IDs before.
    package typealias Resolver = (Any) -> SQLObjectReference?

    /// Resolves the IDs of objects in a store. An object of another store has no key.
    package static func resolver(in store: StoreIdentity) -> Resolver {
        { constant in
            guard let id = constant as? NSManagedObjectID else { return nil }
            let isInStore = !id.isTemporaryID && (id.storeIdentity === store || id.storeIdentity?.uuid == store.uuid)
            return SQLObjectReference(entityName: id.layout.name, key: isInStore ? id.key : nil)
        }
    }
}
