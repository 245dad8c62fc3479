// SPDX-License-Identifier: Apache-2.0

/// The cases of enumerations that are known at run time, by the compiler's metadata.
package enum EnumerationMetadata {
    /// A case of an enumeration.
    package struct Case {
        package let name: String
        package let hasPayload: Bool
    }

    package static func isEnumeration(_ type: any Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == enumerationKind
    }

    /// The cases of an enumeration, cases with payloads first, as in the compiler's metadata.
    package static func cases(of type: any Any.Type) -> [Case] {
        guard isEnumeration(type) else { return [] }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
        guard let fields = target(of: descriptor + FieldLayout.fieldsOffset) else { return [] }
        let size = Int((fields + FieldLayout.recordSizeOffset).load(as: UInt16.self))
        let count = Int((fields + FieldLayout.countOffset).load(as: UInt32.self))
        return (0..<count).compactMap { index in
            let field = fields + FieldLayout.headerSize + index * size
            return target(of: field + FieldLayout.nameOffset).map {
                Case(
                    name: String(cString: $0.assumingMemoryBound(to: CChar.self)),
                    hasPayload: target(of: field + FieldLayout.typeOffset) != nil)
            }
        }
    }

    /// The values of an enumeration without payloads, whether it is `CaseIterable` or not: a value is the number of
    /// its case, in as many bytes as all cases need.
    static func values<Value>(of type: Value.Type) -> [Value] {
        let cases = cases(of: type)
        guard !cases.isEmpty, !cases.contains(where: \.hasPayload), MemoryLayout<Value>.size <= 1 else { return [] }
        return cases.indices.map { index in
            // An enumeration of one case has no bytes.
            guard MemoryLayout<Value>.size == 1 else { return unsafeBitCast((), to: Value.self) }
            return unsafeBitCast(UInt8(index), to: Value.self)
        }
    }

    /// The target of a relative reference.
    private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = reference.load(as: Int32.self)
        return offset == 0 ? nil : reference + Int(offset)
    }

    /// The kind of enumerations in the compiler's metadata (`MetadataKind.def`).
    private static let enumerationKind = 0x201

    /// The layout of descriptors of types and of their fields (`Metadata.h`, `Records.h`), in bytes.
    private enum FieldLayout {
        static let fieldsOffset = 16
        static let recordSizeOffset = 10
        static let countOffset = 12
        static let headerSize = 16
        static let typeOffset = 4
        static let nameOffset = 8
    }
}
