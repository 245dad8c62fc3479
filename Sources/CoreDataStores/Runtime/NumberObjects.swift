// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime
import Synchronization

/// Number objects, made by CoreFoundation's function.
///
/// `value(forKey:)` returns an `NSNumber` for each number, and making it is most of the cost of the call. Small
/// integers are made once. Other numbers come from CoreFoundation's `CFNumberCreate`. `NSNumber.init(value:)` calls it
/// too, behind a factory and a dynamic cast that double the cost. A self-check at first use compares the objects of
/// both; if they differ, `NSNumber` makes the numbers. Tested by `RuntimeTests`.
package enum NumberObjects {
    private static let range: ClosedRange<Int64> = -128...1023
    private static let small: [NSNumber] = range.map { NSNumber(value: $0) }

    @inline(__always)
    package static func integer(_ value: Int64) -> NSNumber {
        range.contains(value) ? small[Int(value - range.lowerBound)] : make(value)
    }

    #if os(Linux)
        /// `kCFNumberSInt64Type` and `kCFNumberFloat64Type`.
        private static let integerType = 4
        private static let doubleType = 6

        /// 0 before the self-check, then 1 (usable) or 2: a word that is read without a lazy initializer.
        private static let checked = Atomic<UInt8>(0)

        @inline(__always)
        static var isCreateFunctionUsable: Bool {
            let state = checked.load(ordering: .relaxed)
            return state == 0 ? check() : state == 1
        }

        @inline(never)
        private static func check() -> Bool {
            let integers: [Int64] = [.min, -129, 1024, 1 << 40, .max]
            let doubles: [Double] = [0.5, -1e300, .infinity]
            let isUsable =
                FastPath.numberObjects.isOn
                && integers.allSatisfy { value in isSame(create(value, integerType), NSNumber(value: value)) }
                && doubles.allSatisfy { value in isSame(create(value, doubleType), NSNumber(value: value)) }
            checked.store(isUsable ? 1 : 2, ordering: .relaxed)
            return isUsable
        }

        private static func isSame(_ number: NSNumber?, _ expected: NSNumber) -> Bool {
            guard let number, type(of: number) == type(of: expected) else { return false }
            return number.isEqual(to: expected)
                && String(cString: number.objCType) == String(cString: expected.objCType)
        }

        @inline(__always)
        private static func create<Value>(_ value: Value, _ type: Int) -> NSNumber? {
            withUnsafePointer(to: value) { CFNumberCreate(kCFAllocatorSystemDefault, type, $0) }.map {
                Unmanaged<NSNumber>.fromOpaque($0).takeRetainedValue()
            }
        }

        @inline(__always)
        private static func make(_ value: Int64) -> NSNumber {
            if isCreateFunctionUsable, let number = create(value, integerType) { return number }
            return NSNumber(value: value)
        }

        @inline(__always)
        static func double(_ value: Double) -> NSNumber {
            if isCreateFunctionUsable, let number = create(value, doubleType) { return number }
            return NSNumber(value: value)
        }
    #else
        static let isCreateFunctionUsable = false

        private static func make(_ value: Int64) -> NSNumber { NSNumber(value: value) }

        package static func double(_ value: Double) -> NSNumber { NSNumber(value: value) }
    #endif
}
