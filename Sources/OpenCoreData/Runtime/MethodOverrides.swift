// SPDX-License-Identifier: Apache-2.0

/// Whether a class of managed objects overrides a method of `NSManagedObject`: the framework prepares the arguments of
/// a call only for classes that override the method.
///
/// Reads class metadata and changes nothing. The method's entry in the metadata is found by comparing classes of this
/// module that do and don't override it. If the comparison doesn't find exactly one entry, on a toolchain that lays
/// classes out otherwise, every class counts as overriding: slower, and as correct. Where there is an Objective-C
/// runtime, class metadata has other words and may be realized lazily, so nothing is read there and every class counts
/// as overriding too. Tested by `MethodOverridesTests`.
enum MethodOverrides {
    /// Whether `validateValue(_:forKey:)` is overridden.
    @inline(__always)
    static func overridesValidateValue(_ type: NSManagedObject.Type) -> Bool { overrides(validateValueEntry, type) }

    /// Whether `willSave()` is overridden.
    @inline(__always)
    static func overridesWillSave(_ type: NSManagedObject.Type) -> Bool { overrides(willSaveEntry, type) }

    /// Whether `didSave()` is overridden.
    @inline(__always)
    static func overridesDidSave(_ type: NSManagedObject.Type) -> Bool { overrides(didSaveEntry, type) }

    /// Whether `awakeFromFetch()` is overridden.
    @inline(__always)
    static func overridesAwakeFromFetch(_ type: NSManagedObject.Type) -> Bool { overrides(awakeFromFetchEntry, type) }

    /// Whether `value(forKey:)` is overridden.
    @inline(__always)
    static func overridesValueForKey(_ type: NSManagedObject.Type) -> Bool { overrides(valueForKeyEntry, type) }

    static let validateValueEntry: Int? = entry(overriddenBy: ValidatingProbe.self)
    static let willSaveEntry: Int? = entry(overriddenBy: SavingProbe.self)
    static let didSaveEntry: Int? = entry(overriddenBy: SavedProbe.self)
    static let awakeFromFetchEntry: Int? = entry(overriddenBy: AwakingProbe.self)
    static let valueForKeyEntry: Int? = entry(overriddenBy: ReadingProbe.self)

    /// Whether a class and `NSManagedObject` have different methods in an entry; true if the entry isn't known.
    @inline(__always)
    private static func overrides(_ entry: @autoclosure () -> Int?, _ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return false }
        #if os(Linux)
            guard let entry = entry() else { return true }
            return ClassMetadata.word(entry, of: type) != ClassMetadata.word(entry, of: NSManagedObject.self)
        #else
            return true
        #endif
    }

    #if os(Linux)
        /// The one word of the metadata that is the same in `NSManagedObject` and in subclasses that override nothing,
        /// and differs in a subclass that overrides one method.
        private static func entry(overriddenBy overriding: NSManagedObject.Type) -> Int? {
            let plain: [NSManagedObject.Type] = [PlainProbe.self, OtherPlainProbe.self]
            let count = ClassMetadata.wordCount(of: NSManagedObject.self)
            // The header differs between all classes; an impossible size means another layout.
            guard count > 16, count < 4096,
                ([overriding] + plain).allSatisfy({ ClassMetadata.wordCount(of: $0) >= count })
            else {
                return nil
            }
            let found = (ClassMetadata.firstMethodWord..<count).filter { index in
                let base = ClassMetadata.word(index, of: NSManagedObject.self)
                return plain.allSatisfy { ClassMetadata.word(index, of: $0) == base }
                    && ClassMetadata.word(index, of: overriding) != base
            }
            return found.count == 1 ? found[0] : nil
        }
    #else
        private static func entry(overriddenBy overriding: NSManagedObject.Type) -> Int? { nil }
    #endif
}

private class PlainProbe: NSManagedObject {}
private class OtherPlainProbe: NSManagedObject {}
private class ValidatingProbe: NSManagedObject {
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
    }
}

private class SavingProbe: NSManagedObject {
    override func willSave() { super.willSave() }
}

private class AwakingProbe: NSManagedObject {
    override func awakeFromFetch() { super.awakeFromFetch() }
}

private class SavedProbe: NSManagedObject {
    override func didSave() { super.didSave() }
}

private class ReadingProbe: NSManagedObject {
    override func value(forKey key: String) -> Any? { super.value(forKey: key) }
}
