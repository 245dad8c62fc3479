extension Schema {
    /// The description of one property of a class: `@Model` makes it out of the source.
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
    /// The property with a default value of the property's type. A literal in a source has a type of its own: `0` is an
    /// `Int` without the type of the property.
    var withTypedDefault: Schema.PropertyMetadata {
        let type = TypeKind.unwrapped(Swift.type(of: keypath).valueType).type
        guard let value = AnyValues.unwrapped(defaultValue), Swift.type(of: value) != type,
            let plain = type as? any AttributeValue.Type, let stored = (value as? any AttributeValue)?.storedValue,
            let typed = plain.init(storedValue: stored)
        else { return self }
        return Schema.PropertyMetadata(name: name, keypath: keypath, defaultValue: typed, metadata: metadata)
    }
}
