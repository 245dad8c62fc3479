// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A query without the values of its constants: queries of one shape have statements of one text, whose parameters
/// differ.
///
/// Only queries have a shape whose text depends on no value: fetches of whole objects, keys and counts, with key paths
/// that are compared with numbers, texts, dates and UUIDs, joined by AND, OR and NOT. They are most of the fetches that
/// a program repeats.
struct SQLQueryShape {
    /// Describes the query, and is unique to its shape.
    private(set) var bytes: [UInt8] = []
    /// The constants of the predicate, in its order.
    private(set) var values: [SQLValue] = []

    /// Longer predicates are rarely repeated.
    private static let maximumCount = 32

    /// - Returns: nil for a query without a shape.
    init?(_ query: StoreQuery, selecting selection: SQLSelection) {
        guard query.projection == nil, query.properties == nil else { return nil }
        let kind: UInt8
        switch selection {
        case .columns: kind = 1
        case .identifiers: kind = 2
        case .count: kind = 3
        case .values, .valueCount: return nil
        }
        bytes.reserveCapacity(96)
        bytes.append(kind)
        withUnsafeBytes(of: query.layout.number) { bytes.append(contentsOf: $0) }
        bytes.append(
            (query.includesSubentities ? 1 : 0) | (query.limit > 0 ? 2 : 0) | (query.offset > 0 ? 4 : 0)
                | (query.predicate == nil ? 0 : 8))
        if let predicate = query.predicate, !append(predicate) { return nil }
        for descriptor in query.sortDescriptors where !append(descriptor) { return nil }
    }

    // MARK: Parts

    private mutating func append(_ predicate: NSPredicate) -> Bool {
        // Each part of the predicate adds at least a byte, so this also limits the depth of the recursion.
        guard bytes.count < 1024 else { return false }
        switch predicate.kind {
        case .comparison(let comparison):
            return append(comparison)
        case .compound(let type, let parts):
            guard parts.count <= Self.maximumCount else { return false }
            bytes.append(0x20 | UInt8(type.rawValue))
            bytes.append(UInt8(parts.count))
            for part in parts where !append(part) { return false }
            return true
        case .constant, .block:
            return false
        }
    }

    private mutating func append(_ comparison: NSComparisonPredicate) -> Bool {
        guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
            values.count < Self.maximumCount
        else { return false }
        switch comparison.predicateOperatorType {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            let meaning: UInt8 = comparison.missingValues == .different ? 0x18 : 0x10
            bytes.append(meaning | UInt8(comparison.predicateOperatorType.rawValue))
        default:
            return false
        }
        let count = values.count
        // One side is a constant. Two would be no comparison of the statement.
        return append(comparison.leftExpression) && append(comparison.rightExpression) && values.count == count + 1
    }

    private mutating func append(_ expression: NSExpression) -> Bool {
        guard expression.isComputedByNode else { return false }
        switch expression.node.type {
        case .keyPath:
            guard let node = expression.node as? KeyPathNode else { return false }
            bytes.append(0x30)
            return append(node.keyPath)
        case .constantValue:
            guard let node = expression.node as? ConstantNode, let constant = node.value(for: nil, bindings: nil),
                let (value, kind) = Self.value(constant)
            else { return false }
            bytes.append(kind)
            values.append(value)
            return true
        default:
            return false
        }
    }

    /// Appends a text and its end. The operators of key paths make statements of another form for some values.
    private mutating func append(_ key: String) -> Bool {
        for byte in key.utf8 {
            if byte == UInt8(ascii: "@") || byte == 0 { return false }
            bytes.append(byte)
        }
        bytes.append(0)
        return true
    }

    private mutating func append(_ descriptor: NSSortDescriptor) -> Bool {
        guard !descriptor.needsEvaluation, let key = descriptor.key, let selector = descriptor.selector?.name else {
            return false
        }
        bytes.append(descriptor.ascending ? 0x40 : 0x41)
        return append(key) && append(selector)
    }

    /// The value of a constant, and a byte for its type.
    private static func value(_ constant: Any) -> (SQLValue, UInt8)? {
        guard let value = SQLConstants.scalar(constant) else { return nil }
        switch value {
        case .text: return (value, 0x50)
        case .timestamp: return (value, 0x51)
        case .uuid: return (value, 0x52)
        case .integer: return (value, 0x53)
        case .real: return (value, 0x54)
        default: return nil
        }
    }
}
