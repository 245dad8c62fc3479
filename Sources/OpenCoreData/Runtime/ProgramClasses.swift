internal import CSwiftRuntime

/// The classes of managed objects in the running program and its libraries, found without an Objective-C runtime.
///
/// Reads the lists of types that the compiler puts into each image for look-ups by name, and changes nothing. A class
/// is one of managed objects if its chain of superclasses leads to `NSManagedObject`; only then is it touched at all.
/// If a class of ours isn't found in this way, on a toolchain that lays types out otherwise, no class is: then those
/// count that are registered or were used. Checked by `ClassLookUpTests`.
enum ProgramClasses {
    /// All non-generic subclasses of `NSManagedObject`, but for those of this module.
    static func all() -> [NSManagedObject.Type] {
        #if os(Linux)
            var addresses: [UnsafeRawPointer] = []
            withUnsafeMutablePointer(to: &addresses) { addresses in
                swift_enumerateAllMetadataSections(
                    { sections, context in
                        context?.assumingMemoryBound(to: [UnsafeRawPointer].self).pointee.append(sections)
                        return true
                    }, addresses)
            }
            var known: [UnsafeRawPointer: Bool] = [ClassDescriptor.ofManagedObject.address: true]
            var found: [NSManagedObject.Type] = []
            for sections in addresses {
                for descriptor in records(of: sections) where isManaged(descriptor, &known, depth: 0) {
                    guard let type = descriptor.type as? NSManagedObject.Type, type != NSManagedObject.self else {
                        continue
                    }
                    found.append(type)
                }
            }
            guard found.contains(where: { $0 == LookUpProbe.self }) else { return [] }
            return found.filter { !ManagedObjectClasses.name(of: $0).hasPrefix(ownModule) }
        #else
            return []
        #endif
    }

    #if os(Linux)
        private static let ownModule = _typeName(NSManagedObject.self, qualified: true).split(separator: ".")[0] + "."

        /// The class descriptors that an image lists.
        private static func records(of sections: UnsafeRawPointer) -> [ClassDescriptor] {
            let words = sections.assumingMemoryBound(to: UInt.self)
            // Version, base address, two unused words, then address and length of protocols, conformances and types.
            guard (1...8).contains(words[0]), let start = UnsafeRawPointer(bitPattern: words[8]) else { return [] }
            return stride(from: 0, to: Int(words[9]), by: 4).compactMap { offset in
                let record = start + offset
                let value = Int(record.load(as: Int32.self))
                var target: UnsafeRawPointer? = record + (value & ~3)
                // The low bits say how the record refers to the descriptor: 0 directly, 1 through a pointer.
                switch value & 3 {
                case 0: break
                case 1: target = target?.load(as: UnsafeRawPointer?.self)
                default: return nil
                }
                return target.flatMap(ClassDescriptor.init)
            }
        }

        private static func isManaged(
            _ descriptor: ClassDescriptor, _ known: inout [UnsafeRawPointer: Bool], depth: Int
        ) -> Bool {
            if let answer = known[descriptor.address] { return answer }
            let answer = depth < 64 && descriptor.superclass.map { isManaged($0, &known, depth: depth + 1) } ?? false
            known[descriptor.address] = answer
            return answer
        }
    #endif
}

#if os(Linux)
    /// What the compiler says about a class that is not generic.
    private struct ClassDescriptor {
        let address: UnsafeRawPointer

        /// Nil for other types, and for generic classes, which are no single class.
        init?(_ address: UnsafeRawPointer) {
            let flags = address.load(as: UInt32.self)
            guard flags & 0x1F == 16, flags & 0x80 == 0 else { return nil }
            self.address = address
        }

        private init(of type: AnyClass) {
            // The descriptor's address stands behind kind, superclass, and three words of sizes.
            address = unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 40, as: UnsafeRawPointer.self)
        }

        static var ofManagedObject: ClassDescriptor { ClassDescriptor(of: NSManagedObject.self) }

        /// The class itself, made ready for use; the runtime's access function takes a request (0: complete) and
        /// returns it first.
        var type: AnyClass? {
            let function = target(at: 12)
            typealias Access = @convention(c) (UInt) -> UnsafeRawPointer?
            return unsafeBitCast(function, to: Access.self)(0).map { unsafeBitCast($0, to: AnyClass.self) }
        }

        /// The superclass, named by a reference to its descriptor (in this image or, through a pointer, in another) or
        /// in letters.
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
                return (_typeByName(text) as? AnyClass).flatMap { ClassDescriptor(ClassDescriptor(of: $0).address) }
            default: return nil
            }
        }

        private func target(at offset: Int) -> UnsafeRawPointer {
            address + offset + Int(address.load(fromByteOffset: offset, as: Int32.self))
        }
    }
#endif

/// Proves that the look-up works.
private final class LookUpProbe: NSManagedObject {}
