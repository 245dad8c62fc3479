/// Tells whether a class of managed objects overrides a method of `NSManagedObject`, so that what nobody overrides can
/// be done without preparing its arguments.
///
/// Reads class metadata and changes nothing. The method's entry is found by comparing classes of ours that do and don't
/// override it; if that doesn't find exactly one entry, on a toolchain that lays classes out otherwise, every class
/// counts as overriding, which is slower and as right. Checked by `RuntimeTests`.
enum MethodOverrides {
    /// Whether `validateValue(_:forKey:)` is overridden.
    static func overridesValidateValue(_ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let entry = validateValueEntry else { return true }
        return word(entry, of: type) != word(entry, of: NSManagedObject.self)
    }

    /// Whether `willSave()` is overridden.
    @inline(__always)
    static func overridesWillSave(_ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let entry = willSaveEntry else { return true }
        return word(entry, of: type) != word(entry, of: NSManagedObject.self)
    }

    /// Whether `didSave()` is overridden.
    @inline(__always)
    static func overridesDidSave(_ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let entry = didSaveEntry else { return true }
        return word(entry, of: type) != word(entry, of: NSManagedObject.self)
    }

    /// Whether `awakeFromFetch()` is overridden.
    @inline(__always)
    static func overridesAwakeFromFetch(_ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let entry = awakeFromFetchEntry else { return true }
        return word(entry, of: type) != word(entry, of: NSManagedObject.self)
    }

    static let didSaveEntry: Int? = entry(plain: [PlainProbe.self, OtherPlainProbe.self], overriding: SavedProbe.self)
    static let awakeFromFetchEntry: Int? = entry(
        plain: [PlainProbe.self, OtherPlainProbe.self], overriding: AwakingProbe.self)
    static let validateValueEntry: Int? = entry(
        plain: [PlainProbe.self, OtherPlainProbe.self], overriding: ValidatingProbe.self)
    static let willSaveEntry: Int? = entry(
        plain: [PlainProbe.self, OtherPlainProbe.self], overriding: SavingProbe.self)

    /// The one word of the metadata that is the same in `NSManagedObject` and the plain classes and differs in the
    /// overriding one.
    private static func entry(plain: [NSManagedObject.Type], overriding: NSManagedObject.Type) -> Int? {
        let count = wordCount(of: NSManagedObject.self)
        // The header differs between all classes; a size that can't be means another layout.
        guard count > 16, count < 4096 else { return nil }
        let found = (headerWords..<count).filter { index in
            let base = word(index, of: NSManagedObject.self)
            return plain.allSatisfy { word(index, of: $0) == base } && word(index, of: overriding) != base
        }
        return found.count == 1 ? found[0] : nil
    }

    private static let headerWords = 7

    /// The words behind the address point: total size less the part before it.
    private static func wordCount(of type: AnyClass) -> Int {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
        let before = metadata.load(fromByteOffset: 36, as: UInt32.self)
        return size > before ? Int(size - before) / MemoryLayout<UInt>.size : 0
    }

    private static func word(_ index: Int, of type: AnyClass) -> UInt {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(
            fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
    }
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
