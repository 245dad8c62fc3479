// SPDX-License-Identifier: Apache-2.0

extension KeyedArchiveWriter {
    /// Adds a value of a Foundation class: string, number, date, data, UUID, URL, decimal number, or a collection of
    /// these.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - what: names the owner of the value in errors.
    /// - Returns: the reference to the archived value.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for a value of another class.
    package func add(foundation value: Any?, what: @autoclosure () -> String) throws -> PropertyListValue {
        guard let value else { return Self.null }
        // A Swift value and its Foundation object have the same archived form.
        switch value {
        case let undecoded as UndecodedArchiveValue: return add(undecoded)
        case let text as String: return add(plain: .string(text))
        case let decimal as NSDecimalNumber:
            return add(class: .decimalNumber, ArchivedDecimal.encode(decimal.decimalValue))
        case let number as NSNumber: return add(plain: Self.plain(number))
        case let decimal as Decimal: return add(class: .decimalNumber, ArchivedDecimal.encode(decimal))
        case let date as Date:
            return add(class: .date, [(key: "NS.time", value: .real(date.timeIntervalSinceReferenceDate))])
        case let data as Data: return add(plain: .data(data))
        case let uuid as UUID:
            let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
            return add(class: .uuid, [(key: "NS.uuidbytes", value: .data(bytes))])
        case let url as URL:
            let base = try add(foundation: url.baseURL, what: what())
            return add(
                class: .url,
                [(key: "NS.base", value: base), (key: "NS.relative", value: add(string: url.relativeString))])
        case is NSNull: return add(class: .nullObject, [])
        case let set as NSSet:
            return add(array: try set.allObjects.map { try add(foundation: $0, what: what()) }, class: .set)
        case let ordered as NSOrderedSet:
            let elements = try ordered.array.map { try add(foundation: $0, what: what()) }
            return add(
                class: .orderedSet, elements.enumerated().map { (key: "NS.object.\($0.offset)", value: $0.element) })
        case let array as [Any]:
            return add(array: try array.map { try add(foundation: $0, what: what()) }, class: .array)
        case let dictionary as [AnyHashable: Any]:
            return try add(userInfo: dictionary, what: what())
        case let set as Set<AnyHashable>:
            return add(array: try set.map { try add(foundation: $0.base, what: what()) }, class: .set)
        default:
            throw archivingError("\(what()): a value of type \(type(of: value)) cannot be archived")
        }
    }

    /// Adds a dictionary. The entries are sorted by their keys, so that equal models give equal files.
    package func add(userInfo: [AnyHashable: Any], what: @autoclosure () -> String) throws -> PropertyListValue {
        let ordered = userInfo.sorted { String(describing: $0.key.base) < String(describing: $1.key.base) }
        return add(
            dictionary: try ordered.map {
                (
                    key: try add(foundation: $0.key.base, what: what()),
                    value: try add(foundation: $0.value, what: what())
                )
            }, class: .dictionary)
    }

    /// On Linux, Foundation uses "c" for Booleans only; integers are "i" or wider.
    private static func plain(_ number: NSNumber) -> PropertyListValue {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "B"), UInt8(ascii: "c"):
            return .boolean(number.boolValue)
        case UInt8(ascii: "f"): return .single(number.floatValue)
        case UInt8(ascii: "d"): return .real(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            return .unsignedInteger(number.uint64Value)
        default: return .integer(number.int64Value)
        }
    }
}
