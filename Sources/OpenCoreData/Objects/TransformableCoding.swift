/// Transformable values to and from the bytes that a store keeps.
///
/// An attribute without a transformer is kept as a keyed archive. A transformer that makes objects of archives
/// (`NSSecureUnarchiveFromDataTransformer` and its subclasses) is used the other way round, as Core Data does.
enum TransformableCoding {
    /// The value of stored bytes.
    ///
    /// Bytes that the transformer refuses are given back as they are, so that nothing is lost when the object is saved;
    /// the log says so.
    static func decode(_ stored: StoredTransformable, slot: PropertySlot) -> Any? {
        guard let attribute = slot.attribute else { return nil }
        if let value = value(of: stored.data, attribute: attribute) { return value }
        CoreDataLog.warning(
            "\(attribute.entity.name ?? "?").\(slot.name): the value transformer \(name(of: attribute) ?? "of keyed archives") cannot read the stored \(stored.data.count) bytes; the value is given as Data.")
        return stored.data
    }

    private static func value(of data: Data, attribute: NSAttributeDescription) -> Any? {
        guard let name = name(of: attribute) else { return unarchived(data) }
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(rawValue: name)) else { return data }
        return transformer is NSSecureUnarchiveFromDataTransformer ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }

    /// The bytes of a value, throws if the transformer has none for it.
    static func encode(_ value: Any, attribute: NSAttributeDescription) throws -> Data {
        guard let name = name(of: attribute) else { return try archived(value, attribute) }
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(rawValue: name)) else {
            // What was read without its transformer is written back as it was.
            if let data = value as? Data { return data }
            throw failure(attribute, "no value transformer is registered under the name \(name)")
        }
        let transformed = transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
        if let data = transformed as? Data { return data }
        throw failure(attribute, "its value transformer gives no data for a value of type \(type(of: value))")
    }

    /// The transformer's name, nil for an attribute that is kept as a keyed archive.
    private static func name(of attribute: NSAttributeDescription) -> String? {
        attribute.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: Keyed archives

    private static func unarchived(_ data: Data) -> Any? {
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    private static func archived(_ value: Any, _ attribute: NSAttributeDescription) throws -> Data {
        let object = ArchivableValue.object(value)
        guard object is any NSCoding else {
            throw failure(attribute, "a value of type \(type(of: value)) has no NSCoding, and the attribute names no value transformer")
        }
        do {
            return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        } catch {
            throw failure(attribute, "a value of type \(type(of: value)) can't be archived: \(error.localizedDescription)")
        }
    }

    private static func failure(_ attribute: NSAttributeDescription, _ reason: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: NSCoreDataError, userInfo: [
            NSLocalizedDescriptionKey: "\(attribute.entity.name ?? "?").\(attribute.name) can't be saved: \(reason). Register a transformer with ValueTransformer.setValueTransformer(_:forName:).",
            NSValidationKeyErrorKey: attribute.name,
        ])
    }
}

/// A Swift value as the Foundation object that an archive can hold.
private enum ArchivableValue {
    static func object(_ value: Any) -> Any {
        switch value {
        case let object as NSObject: object
        case let string as String: NSString(string: string)
        case let data as Data: NSData(data: data)
        case let date as Date: date as NSDate
        case let url as URL: url as NSURL
        case let uuid as UUID: uuid as NSUUID
        case let array as [Any]: NSArray(array: array)
        case let dictionary as [AnyHashable: Any]: NSDictionary(dictionary: dictionary)
        case let set as Set<AnyHashable>: NSSet(set: set)
        default: value
        }
    }
}
