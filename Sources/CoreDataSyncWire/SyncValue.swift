// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The value of a property, as messages contain it. Every value reads back as exactly what was written.
///
/// Two values are equal if they have the same bits: a NaN equals itself, and 0 isn't -0.
public enum SyncValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case text(String)
    /// Seconds since the reference date, 1 January 2001.
    case date(Double)
    case uuid(UUID)
    case uri(String)
    case data(Data)
    /// Many bytes, which travel apart.
    case blob(SyncBlob)
    /// The object of a to-one relationship.
    case object(UUID)
    /// The objects of a to-many relationship. Their order counts if the relationship is ordered.
    case objects([UUID])
    /// The elements of a composite attribute.
    case composite([String: SyncValue])
}

extension SyncValue: Hashable {
    public static func == (one: SyncValue, other: SyncValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.double(let one), .double(let other)), (.date(let one), .date(let other)):
            one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
        case (.decimal(let one), .decimal(let other)): one == other || one.isNaN && other.isNaN
        case (.text(let one), .text(let other)), (.uri(let one), .uri(let other)): one.utf8.elementsEqual(other.utf8)
        case (.uuid(let one), .uuid(let other)), (.object(let one), .object(let other)): one == other
        case (.data(let one), .data(let other)): one == other
        case (.blob(let one), .blob(let other)): one == other
        case (.objects(let one), .objects(let other)): one == other
        case (.composite(let one), .composite(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value), .date(let value): hasher.combine(value.isNaN ? 0 : value.bitPattern)
        case .decimal(let value): hasher.combine(value.isNaN ? 0 : value)
        case .text(let value), .uri(let value): hasher.combine(value)
        case .uuid(let value), .object(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .blob(let value): hasher.combine(value)
        case .objects(let values): hasher.combine(values)
        case .composite(let values): hasher.combine(values)
        }
    }
}
