// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Values in the form of Core Data as values of the types that a model class declares.
enum StoredValueDecoding {
    /// A value, converted to a type; nil if it can't be converted.
    ///
    /// - Parameters:
    ///   - type: the type of the property, which may be optional.
    ///   - stored: the value in the form of `NSManagedObject.value(forKey:)`, not nil.
    ///   - name: the name of the attribute.
    static func value(of type: any Any.Type, from stored: Any, named name: String) -> Any? {
        let type = TypeKind.unwrapped(type).type
        if let values = stored as? [String: Any], let decodable = type as? any Decodable.Type,
            CompositeShape(of: type, named: name) != nil
        {
            return try? CompositeDecoding.value(of: decodable, from: values, named: name)
        }
        if let plain = type as? any AttributeValue.Type { return plain.init(storedValue: stored) }
        if let data = stored as? Data, let decodable = type as? any Decodable.Type {
            return try? JSONForm.value(of: decodable, in: data)
        }
        return ArchivedCollections.value(of: type, from: stored) ?? AnyValues.conforming(stored, to: type)
    }
}

extension AnyValues {
    /// The value, if it has a type that is known only at run time.
    static func conforming(_ value: Any, to type: any Any.Type) -> Any? {
        func cast<T>(_ type: T.Type) -> Any? { value as? T }
        return _openExistential(type, do: cast)
    }
}
