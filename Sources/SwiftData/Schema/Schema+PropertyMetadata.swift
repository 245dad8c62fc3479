// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// The description of one property of a class. `@Model` makes it from the source.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        let defaultValue: Any?
        let metadata: (any SchemaProperty)?

        /// Describes a property.
        ///
        /// - Parameters:
        ///   - name: the name of the property. It is not used for `#Unique` and `#Index`.
        ///   - keypath: the key path of the property.
        ///   - defaultValue: the initial value in the source.
        ///   - metadata: the attribute, the relationship, the constraints or the indexes that the source gives.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
        }
    }
}

extension Schema.PropertyMetadata {
    /// The property with a default value of the property's type. A literal in a source may have another type: without
    /// the property's type, `0` is an `Int`.
    var withTypedDefault: Schema.PropertyMetadata {
        let type = TypeKind.unwrapped(Swift.type(of: keypath).valueType).type
        guard let value = AnyValues.unwrapped(defaultValue), Swift.type(of: value) != type,
            let typed = Self.typed(value, type)
        else { return self }
        return Schema.PropertyMetadata(name: name, keypath: keypath, defaultValue: typed, metadata: metadata)
    }

    private static func typed(_ value: Any, _ type: any Any.Type) -> Any? {
        if let plain = type as? any AttributeValue.Type {
            return (value as? any AttributeValue)?.storedValue.flatMap { plain.init(storedValue: $0) }
        }
        // An empty array or dictionary doesn't tell the type of its elements.
        guard let collection = value as? any Collection, collection.isEmpty, let decodable = type as? any Decodable.Type
        else { return nil }
        let text = value is [AnyHashable: Any] ? "{}" : "[]"
        return try? JSONForm.value(of: decodable, in: Data(text.utf8))
    }
}
