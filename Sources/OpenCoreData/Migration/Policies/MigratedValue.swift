// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The value of an attribute of another version of a model. A value that the new attribute can't have is an error.
struct MigratedValue {
    /// The reason why an attribute can't have a value.
    struct Refusal: Error {
        let reason: String
    }

    let slot: PropertySlot

    /// - Throws: ``Refusal``.
    func check(_ given: Any) throws {
        guard let value = PropertySlot.unwrapped(given), !(value is NSNull) else { return }
        if slot.kind == .composite { return try checkElements(of: value) }
        guard slot.accepts(value) else {
            throw Refusal(
                reason: "A value of type \(type(of: value)) is no value of an attribute of the type \(slot.kind).")
        }
        guard let number = value as? NSNumber, !Self.fits(number, slot.kind) else { return }
        let range = slot.kind.isInteger ? slot.kind.integerRange ?? Int64.min...Int64.max : nil
        throw Refusal(
            reason: "\(slot.keyPath) has the type \(slot.kind)"
                + (range.map { ", from \($0.lowerBound) to \($0.upperBound)." } ?? ", which has no such number."))
    }

    private func checkElements(of value: Any) throws {
        guard let values = CompositeValue.dictionary(value) else {
            throw Refusal(reason: "A value of type \(type(of: value)) is no dictionary of \(slot.keyPath).")
        }
        for (name, value) in values.sortedBytewise(by: \.key) {
            guard let element = slot.element(named: name) else {
                let suggestion = NearestNames.suggestion(for: name, in: slot.elements.map(\.name))
                throw Refusal(reason: "\(slot.keyPath) has no element \u{201c}\(name)\u{201d}.\(suggestion)")
            }
            try MigratedValue(slot: element).check(value)
        }
    }

    // MARK: Numbers

    /// Whether an attribute can have a number. Digits may be cut off or rounded.
    static func fits(_ number: NSNumber, _ kind: StorageKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64: isInteger(number, in: kind.integerRange ?? Int64.min...Int64.max)
        case .float: !(number.doubleValue.isFinite && Float(number.doubleValue).isInfinite)
        // Decimals go to 3.4e165.
        case .decimal: number is NSDecimalNumber || !isReal(number) || number.doubleValue.magnitude < 3.4e165
        default: true
        }
    }

    private static func isInteger(_ number: NSNumber, in range: ClosedRange<Int64>) -> Bool {
        if let number = number as? NSDecimalNumber {
            let decimal = number.decimalValue
            return !decimal.isNaN && decimal >= Decimal(range.lowerBound) && decimal <= Decimal(range.upperBound)
        }
        if isReal(number) {
            let double = number.doubleValue
            // 2^63 is the nearest double of Int64.max, and is no Int64.
            guard double >= Double(range.lowerBound), double <= Double(range.upperBound) else { return false }
            return double < 0x1p63
        }
        if String(cString: number.objCType) == "Q" { return number.uint64Value <= UInt64(range.upperBound) }
        return range.contains(number.int64Value)
    }

    private static func isReal(_ number: NSNumber) -> Bool { ["d", "f"].contains(String(cString: number.objCType)) }

    // MARK: Composites

    /// The value of a composite attribute whose elements had other names.
    ///
    /// - Parameters:
    ///   - value: the value of the source.
    ///   - former: the attribute of the source.
    /// - Returns: a dictionary with the names of the elements; nil without a value.
    func renamed(_ value: Any?, from former: PropertySlot) -> Any? {
        guard let composite = slot.attribute as? NSCompositeAttributeDescription,
            let formerComposite = former.attribute as? NSCompositeAttributeDescription
        else { return value }
        let names = composite.sourcesOfElements(in: formerComposite)
        let values = value.flatMap(CompositeValue.dictionary) ?? [:]
        var result: [String: Any] = [:]
        for element in slot.elements {
            let source = names[element.name].flatMap(former.element(named:))
            var found = source.flatMap { values[$0.name] }.flatMap { $0 is NSNull ? nil : $0 }
            if let source, element.kind == .composite {
                found = MigratedValue(slot: element).renamed(found, from: source)
            } else if found == nil, source == nil || !element.isOptional {
                found = element.defaultValue
            }
            result[element.name] = found
        }
        return result.isEmpty ? nil : result
    }
}
