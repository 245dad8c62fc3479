/// A decimal number that can be hashed: `NSDecimalNumber.hash` of Foundation on Linux calls itself until the stack is
/// full.
///
/// Decimal values of objects and archives are of this class, so that sets of them can be made. Its hash is that of an
/// equal `NSNumber`.
package final class HashableDecimalNumber: NSDecimalNumber, @unchecked Sendable {
    package override init(decimal value: Decimal) { super.init(decimal: value) }

    package required convenience init(integerLiteral value: Int) { self.init(decimal: Decimal(value)) }
    package required convenience init(floatLiteral value: Double) { self.init(decimal: Decimal(value)) }
    package required convenience init(booleanLiteral value: Bool) { self.init(decimal: value ? 1 : 0) }
    package required convenience init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        self.init(decimal: NSNumber(bytes: buffer, objCType: type).decimalOrNaN)
    }
    package required convenience init?(coder: NSCoder) {
        guard let value = NSDecimalNumber(coder: coder) else { return nil }
        self.init(decimal: value.decimalValue)
    }

    package override var doubleValue: Double { decimalValue.nearestDouble }

    package override var hash: Int { NSNumber(value: doubleValue).hash }
}
