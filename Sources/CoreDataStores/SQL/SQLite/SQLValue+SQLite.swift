// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLValue {
    /// The value in the form in which columns of the file contain it: null, integer, real, text or bytes.
    ///
    /// A date is its seconds since the reference date, a UUID its 16 bytes. A decimal is the nearest double, or an
    /// integer where a double would lose digits of a whole number.
    var storedForm: SQLValue {
        switch self {
        case .null, .integer, .real, .text, .bytes: return self
        // The dialect packs lists into texts.
        case .keys, .list: return .null
        case .parameter(_, let value): return value.storedForm
        case .timestamp(let date): return .real(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { .bytes(Data($0)) }
        case .decimal(let decimal):
            let double = decimal.nearestDouble
            if double.magnitude >= 0x1p53, let integer = Int64("\(decimal)") { return .integer(integer) }
            return .real(double)
        }
    }
}
