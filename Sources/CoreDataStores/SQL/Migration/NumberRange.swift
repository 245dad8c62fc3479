// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The numbers that another type of number can have, apart from digits that are rounded or cut off.
struct NumberRange: Sendable {
    /// The range in words: "between -32768 and 32767".
    let text: String
    /// The condition on the values of a column that are outside.
    let violation: @Sendable (_ column: String) -> SQLFragment

    private init(_ text: String, violation: @escaping @Sendable (String) -> SQLFragment) {
        self.text = text
        self.violation = violation
    }

    fileprivate static func integers(_ range: ClosedRange<Int64>, from old: SQLStorageKind) -> NumberRange {
        let text = "between \(range.lowerBound) and \(range.upperBound)"
        // Int64.max as a floating point number is 2^63, which is too large.
        if old != .decimal, range.upperBound == .max {
            return NumberRange(text) {
                "NOT (\($0) >= \(value: .real(-0x1p63)) AND \($0) < \(value: .real(0x1p63)))"
            }
        }
        return NumberRange(text) {
            "\($0) NOT BETWEEN \(value: .integer(range.lowerBound)) AND \(value: .integer(range.upperBound))"
        }
    }

    /// Infinity and NaN stay as they are.
    fileprivate static let floats = NumberRange("that a Float can have") {
        // From here on numbers are rounded to infinity.
        "(ABS(\($0)) >= \(value: .real(0x1.ffffffp127)) AND ABS(\($0)) < \(value: .real(.infinity)))"
    }

    fileprivate static let decimals = NumberRange("that a Decimal can have") {
        "NOT (ABS(\($0)) < \(value: .real(3.4e165)))"
    }
}

extension SQLStorageKind {
    /// The range for values of another kind of number that get this kind; nil if all of them have room.
    func range(forValuesOf old: SQLStorageKind) -> NumberRange? {
        guard self != old, old.isNumber, old != .boolean else { return nil }
        switch self {
        case .integer16, .integer32, .integer64:
            guard let range = migratedRange else { return nil }
            let isWithin = old.migratedRange.map { range.contains($0.lowerBound) } ?? false
            return isWithin ? nil : .integers(range, from: old)
        case .float where old == .double || old == .decimal: return .floats
        case .decimal where old == .double || old == .float: return .decimals
        default: return nil
        }
    }
}
