/// Transformable values to and from the bytes that a store keeps.
enum TransformableCoding {
    /// The value of stored bytes.
    ///
    /// Bytes that the transformer refuses are given back as they are, so that nothing is lost when the object is saved;
    /// the log says so.
    static func decode(_ stored: StoredTransformable, slot: PropertySlot) -> Any? {
        guard let attribute = slot.attribute else { return nil }
        guard let transformer = transformer(of: attribute) else { return stored.data }
        if let value = transformer.reverseTransformedValue(stored.data) { return value }
        CoreDataLog.warning(
            "\(attribute.entity.name ?? "?").\(slot.name): the value transformer \(attribute.valueTransformerName ?? "of keyed archives") cannot read the stored \(stored.data.count) bytes; the value is given as Data.")
        return stored.data
    }

    /// The bytes of a value, throws if the transformer has none for it.
    static func encode(_ value: Any, attribute: NSAttributeDescription) throws -> Data {
        if let data = value as? Data, attribute.valueTransformerName == nil || transformer(of: attribute) == nil { return data }
        guard let transformer = transformer(of: attribute) else {
            throw failure(attribute, "no value transformer is registered under the name \(attribute.valueTransformerName ?? "")")
        }
        if let data = transformer.transformedValue(value) as? Data { return data }
        throw failure(attribute, "its value transformer gives no data for a value of type \(type(of: value))")
    }

    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        let name = attribute.valueTransformerName ?? ""
        return ValueTransformer(forName: NSValueTransformerName(rawValue: name.isEmpty ? "NSSecureUnarchiveFromData" : name))
    }

    private static func failure(_ attribute: NSAttributeDescription, _ reason: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: 134060, userInfo: [
            NSLocalizedDescriptionKey: "\(attribute.entity.name ?? "?").\(attribute.name) can't be saved: \(reason). Register a transformer with ValueTransformer.setValueTransformer(_:forName:).",
            "NSValidationErrorKey": attribute.name,
        ])
    }
}
