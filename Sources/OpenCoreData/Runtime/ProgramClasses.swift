// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime

/// The subclasses of a class in the running program and its libraries, found without an Objective-C runtime.
///
/// Reads the type records that the compiler puts into each image, which the runtime itself reads for look-ups by name,
/// and changes nothing. A class counts if its chain of superclasses leads to the wanted class; other classes are never
/// instantiated by the search.
///
/// The search follows pointers, so it checks the layout of the records first, without following any:
/// - it accepts the one version of the runtime's list of sections that it was written for;
/// - the class metadata of two classes of this module must have their superclass where it is expected;
/// - the descriptors that stand in that metadata must be targets of type records of an image.
///
/// If a check fails, on another toolchain or platform, there are no such classes: models then find the classes that are
/// registered or were used (`NSManagedObject.register(_:)`, generated code). Tested by `ClassLookUpTests` and
/// `RuntimeTests`.
enum ProgramClasses {
    /// All non-generic subclasses of `NSManagedObject` outside this module.
    static func all() -> [NSManagedObject.Type] {
        let found = subclasses(of: NSManagedObject.self)
        #if os(Linux) && _pointerBitWidth(_64)
            // A search that misses a class of this module has misread something.
            guard found.contains(where: { $0 == LookUpProbe.self }) else { return [] }
            return found.filter { !ManagedObjectClasses.name(of: $0).hasPrefix(ownModule) }
        #else
            return found
        #endif
    }

    /// All non-generic subclasses of a class that is not generic.
    static func subclasses<Base: AnyObject>(of base: Base.Type) -> [Base.Type] {
        #if os(Linux) && _pointerBitWidth(_64)
            guard FastPath.typeRecords.isOn else { return [] }
            let images = sections()
            guard isLayoutKnown(images) else { return [] }
            var known: [UnsafeRawPointer: Bool] = [ClassDescriptor.address(of: base): true]
            var found: [Base.Type] = []
            for image in images {
                for record in records(of: image) {
                    guard let descriptor = record.target.flatMap(ClassDescriptor.init),
                        isSubclass(descriptor, &known, depth: 0),
                        let type = descriptor.type as? Base.Type, type != base
                    else { continue }
                    found.append(type)
                }
            }
            return found
        #else
            return []
        #endif
    }

    #if os(Linux) && _pointerBitWidth(_64)
        /// The version of the runtime's `MetadataSections` whose layout `records(of:)` reads.
        private static let sectionsVersion: UInt = 5

        private static let ownModule = _typeName(NSManagedObject.self, qualified: true).split(separator: ".")[0] + "."

        /// One type record: its address, and the word that says where its descriptor is.
        struct Record {
            let address: UnsafeRawPointer
            let word: Int32

            /// The address of the descriptor if the record refers to it directly; nothing is read.
            var directTarget: UnsafeRawPointer? { word & 3 == 0 ? address + Int(word) : nil }

            /// The address of the descriptor. The low bits say how the record refers to it: 0 directly, 1 through a
            /// pointer.
            var target: UnsafeRawPointer? {
                switch word & 3 {
                case 0: address + Int(word)
                case 1: (address + Int(word & ~3)).load(as: UnsafeRawPointer?.self)
                default: nil
                }
            }
        }

        /// The addresses of the lists of sections of all loaded images.
        static func sections() -> [UnsafeRawPointer] {
            var addresses: [UnsafeRawPointer] = []
            withUnsafeMutablePointer(to: &addresses) { addresses in
                swift_enumerateAllMetadataSections(
                    { sections, context in
                        context?.assumingMemoryBound(to: [UnsafeRawPointer].self).pointee.append(sections)
                        return true
                    }, addresses)
            }
            return addresses
        }

        /// Whether sections, records and class metadata have the layout that this file reads.
        static func isLayoutKnown(_ images: [UnsafeRawPointer], version: UInt = sectionsVersion) -> Bool {
            guard !images.isEmpty, images.allSatisfy({ $0.load(as: UInt.self) == version }),
                ClassDescriptor.hasExpectedMetadata(LookUpProbe.self, superclass: NSManagedObject.self)
            else { return false }
            let wanted = [
                ClassDescriptor.address(of: NSManagedObject.self), ClassDescriptor.address(of: LookUpProbe.self),
            ]
            return images.contains { image in
                let targets = Set(records(of: image).compactMap(\.directTarget))
                return wanted.allSatisfy(targets.contains)
            }
        }

        /// The type records of an image.
        static func records(of sections: UnsafeRawPointer) -> [Record] {
            let words = sections.assumingMemoryBound(to: UInt.self)
            // Version, base address, two unused words, then address and length of protocols, conformances and types.
            guard let start = UnsafeRawPointer(bitPattern: words[8]) else { return [] }
            return stride(from: 0, to: Int(words[9]), by: 4).map { offset in
                Record(address: start + offset, word: start.load(fromByteOffset: offset, as: Int32.self))
            }
        }

        private static func isSubclass(
            _ descriptor: ClassDescriptor, _ known: inout [UnsafeRawPointer: Bool], depth: Int
        ) -> Bool {
            if let result = known[descriptor.address] { return result }
            let result = depth < 64 && descriptor.superclass.map { isSubclass($0, &known, depth: depth + 1) } ?? false
            known[descriptor.address] = result
            return result
        }
    #endif
}

#if os(Linux) && _pointerBitWidth(_64)
    /// The compiler's description of a class that is not generic.
    private struct ClassDescriptor {
        let address: UnsafeRawPointer

        /// Nil for other types, and for generic classes, which stand for many classes.
        init?(_ address: UnsafeRawPointer) {
            let flags = address.load(as: UInt32.self)
            guard flags & 0x1F == 16, flags & 0x80 == 0 else { return nil }
            self.address = address
        }

        /// The address of a class's descriptor. It stands in the metadata behind kind, superclass, and three words of
        /// sizes.
        static func address(of type: AnyClass) -> UnsafeRawPointer {
            unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 40, as: UnsafeRawPointer.self)
        }

        /// Whether the second word of a class's metadata is its superclass, and the sizes are possible. Reads the
        /// metadata alone, which is longer in every version.
        static func hasExpectedMetadata(_ type: AnyClass, superclass: AnyClass) -> Bool {
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
            let addressPoint = metadata.load(fromByteOffset: 36, as: UInt32.self)
            return metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
                == unsafeBitCast(superclass, to: UnsafeRawPointer.self) && size > addressPoint
                && size - addressPoint > 56
                && size < 1 << 16
        }

        /// The class itself. The runtime's access function takes a request (0: complete metadata) and returns the
        /// metadata in its first word.
        var type: AnyClass? {
            let function = target(at: 12)
            typealias Access = @convention(c) (UInt) -> UnsafeRawPointer?
            return unsafeBitCast(function, to: Access.self)(0).map { unsafeBitCast($0, to: AnyClass.self) }
        }

        /// The superclass. Its mangled name is a reference to its descriptor (in this image, or through a pointer in
        /// another one), or text.
        var superclass: ClassDescriptor? {
            guard address.load(fromByteOffset: 20, as: Int32.self) != 0 else { return nil }
            let name = target(at: 20)
            let reference = name + 1
            switch name.load(as: UInt8.self) {
            case 1: return ClassDescriptor(reference + Int(reference.loadUnaligned(as: Int32.self)))
            case 2:
                return (reference + Int(reference.loadUnaligned(as: Int32.self))).load(as: UnsafeRawPointer?.self)
                    .flatMap(ClassDescriptor.init)
            case 0x20...0x7E:
                let text = String(cString: name.assumingMemoryBound(to: CChar.self))
                return (_typeByName(text) as? AnyClass).flatMap { ClassDescriptor(Self.address(of: $0)) }
            default: return nil
            }
        }

        private func target(at offset: Int) -> UnsafeRawPointer {
            address + offset + Int(address.load(fromByteOffset: offset, as: Int32.self))
        }
    }
#endif

/// A class that the search must find.
private final class LookUpProbe: NSManagedObject {}
