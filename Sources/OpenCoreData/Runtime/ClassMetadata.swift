/// The size and the words of a class's instances, from the metadata of the class.
enum ClassMetadata {
    /// The words of each instance before its stored properties: the class and the reference count.
    static let headerWords = 2

    /// The number of words of an instance, its header included; 0 where metadata has another layout.
    static func instanceWords(of type: AnyClass) -> Int {
        #if os(Linux)
            let size = unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self)
            return Int(size) / MemoryLayout<UInt>.size
        #else
            return 0
        #endif
    }

    /// The memory of an instance. The caller keeps the instance meanwhile.
    static func words(of object: AnyObject) -> UnsafeMutablePointer<UInt> {
        Unmanaged.passUnretained(object).toOpaque().assumingMemoryBound(to: UInt.self)
    }
}
