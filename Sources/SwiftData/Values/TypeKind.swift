// SPDX-License-Identifier: Apache-2.0

@_spi(Reflection) import Swift

/// An optional type, for types that are known at run time.
protocol OptionalType {
    static var wrappedType: any Any.Type { get }
    var wrappedAny: Any? { get }
    static var nilValue: Any { get }
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }
    var wrappedAny: Any? { self }
    static var nilValue: Any { Self.none as Any }
}

/// An array type, for types that are known at run time.
protocol ArrayType {
    static var elementType: any Any.Type { get }
}

extension Array: ArrayType { static var elementType: any Any.Type { Element.self } }
extension Set: ArrayType { static var elementType: any Any.Type { Element.self } }

/// A dictionary type, for types that are known at run time.
protocol DictionaryType {
    static var keyType: any Any.Type { get }
    static var valueType: any Any.Type { get }
}

extension Dictionary: DictionaryType {
    static var keyType: any Any.Type { Key.self }
    static var valueType: any Any.Type { Value.self }
}

/// The parts of types that are known at run time.
enum TypeKind {
    /// The type without its optionals, and whether it has any.
    static func unwrapped(_ type: any Any.Type) -> (type: any Any.Type, isOptional: Bool) {
        guard let optional = type as? any OptionalType.Type else { return (type, false) }
        return (unwrapped(optional.wrappedType).type, true)
    }

    /// A stored property of a structure.
    struct Field {
        let name: String
        let type: any Any.Type
    }

    /// The stored properties of a structure, in their order.
    static func fields(of type: any Any.Type) -> [Field] {
        var fields: [Field] = []
        _ = _forEachField(of: type) { name, _, type, _ in
            fields.append(Field(name: String(cString: name), type: type))
            return true
        }
        return fields
    }

    static func isStruct(_ type: any Any.Type) -> Bool { metadataKind(of: type) == MetadataKind.structure }

    private static func metadataKind(of type: any Any.Type) -> Int {
        unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee
    }

    /// The kinds of types in the compiler's metadata (`MetadataKind.def`).
    private enum MetadataKind {
        static let structure = 0x200
    }
}
