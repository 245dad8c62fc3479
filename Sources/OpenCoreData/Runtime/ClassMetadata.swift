// SPDX-License-Identifier: Apache-2.0

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

    /// The memory of an instance. The caller retains the instance while it uses the memory.
    static func words(of object: AnyObject) -> UnsafeMutablePointer<UInt> {
        Unmanaged.passUnretained(object).toOpaque().assumingMemoryBound(to: UInt.self)
    }

    #if os(Linux)
        /// The number of words of the metadata before the words of methods and fields.
        static let firstMethodWord = 7

        /// The words of the metadata behind its address point: the complete size less the part before it.
        static func wordCount(of type: AnyClass) -> Int {
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
            let before = metadata.load(fromByteOffset: 36, as: UInt32.self)
            return size > before ? Int(size - before) / MemoryLayout<UInt>.size : 0
        }

        @inline(__always)
        static func word(_ index: Int, of type: AnyClass) -> UInt {
            unsafeBitCast(type, to: UnsafeRawPointer.self).load(
                fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
        }
    #endif
}
