// SPDX-License-Identifier: Apache-2.0

/// Converts transformable values to and from the bytes in a store.
///
/// The value of an attribute without a transformer is stored as a keyed archive of allowed classes
/// (``ArchivedTransformable``). Transformers that decode archives (`NSSecureUnarchiveFromDataTransformer` and its
/// subclasses) are used in the reverse direction, as in Core Data.
package enum TransformableCoding {
    /// The warnings that were logged already: many rows may have the same problem.
    private static let loggedWarnings = Locked<Set<String>>([])

    /// The value of stored bytes.
    ///
    /// Bytes that can't or must not be decoded are returned as they are, so that a save writes them unchanged; the log
    /// has the reason.
    package static func decode(_ stored: StoredTransformable, slot: PropertySlot) -> Any? {
        guard let attribute = slot.attribute else { return nil }
        do {
            return try value(of: stored.data, slot, attribute, stored.trust)
        } catch {
            let message = "\(slot.entityName).\(slot.keyPath): \(reason(error)) The value is returned as Data."
            if loggedWarnings.withLock({ $0.insert(message).inserted }) { CoreDataLog.warning(message) }
            return stored.data
        }
    }

    /// The reason why stored bytes are returned as they are; nil for bytes that can be decoded, and for other values.
    package static func refusal(of value: Any?, slot: PropertySlot) -> String? {
        guard slot.kind == .transformable, let data = value as? Data, let attribute = slot.attribute else { return nil }
        do {
            _ = try self.value(of: data, slot, attribute, ArchiveTrust())
            return nil
        } catch {
            return reason(error)
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? TransformableRefusal)?.reason ?? error.localizedDescription
    }

    private static func value(
        of data: Data, _ slot: PropertySlot, _ attribute: NSAttributeDescription, _ trust: ArchiveTrust
    ) throws -> Any {
        guard let name = name(of: attribute) else {
            return try ArchivedTransformable.value(of: data, attribute: attribute, trust: trust)
        }
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(rawValue: name)) else {
            throw TransformableRefusal.unregistered(name, slot)
        }
        guard let secure = transformer as? NSSecureUnarchiveFromDataTransformer else {
            if let value = transformer.reverseTransformedValue(data) { return value }
            throw TransformableRefusal.unreadable(data, name)
        }
        if let value = secure.transformedValue(data) { return value }
        if let refused = try? ArchivedClasses.firstDisallowedClass(
            in: data, allowing: type(of: secure).allowedTopLevelClasses)
        {
            throw TransformableRefusal(
                """
                the archive contains an object of the class \(refused), which the value transformer \(name) doesn't \
                allow. Allow it in allowedTopLevelClasses of a subclass of NSSecureUnarchiveFromDataTransformer, \
                and name that in the model.
                """
            )
        }
        throw TransformableRefusal.unreadable(data, name)
    }

    /// The bytes of a value.
    ///
    /// - Throws: `NSCoreDataError` (134060) in `NSCocoaErrorDomain` if the value can't be encoded.
    static func encode(_ value: Any, slot: PropertySlot, trust: ArchiveTrust = ArchiveTrust()) throws -> Data {
        guard let attribute = slot.attribute else { return Data() }
        do {
            guard let name = name(of: attribute) else {
                return try ArchivedTransformable.data(of: value, attribute: attribute, trust: trust)
            }
            guard let transformer = ValueTransformer(forName: NSValueTransformerName(rawValue: name)) else {
                // Bytes that were read without their transformer are written unchanged.
                if let data = value as? Data { return data }
                throw TransformableRefusal.unregistered(name, slot)
            }
            let transformed =
                transformer is NSSecureUnarchiveFromDataTransformer
                ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
            if let data = transformed as? Data { return data }
            throw TransformableRefusal(
                "the value transformer \(name) returns no data for a value of type \(type(of: value)).")
        } catch let refusal as TransformableRefusal {
            throw CoreDataErrors.error(
                NSCoreDataError, message: "\(slot.entityName).\(slot.keyPath) can't be saved: \(refusal.reason)",
                reason: refusal.reason, userInfo: [NSValidationKeyErrorKey: slot.keyPath])
        }
    }

    /// The first class in an archive that isn't allowed; nil if there is none, and for bytes that a transformer of the
    /// program decodes.
    static func untrustedClass(in stored: StoredTransformable, _ attribute: NSAttributeDescription) -> String? {
        guard name(of: attribute) == nil, let archive = try? KeyedArchiveReader(stored.data) else { return nil }
        return ArchivedTransformable.untrustedClass(in: archive, attribute, stored.trust)
    }

    /// The transformer's name, nil for an attribute whose values are keyed archives.
    private static func name(of attribute: NSAttributeDescription) -> String? {
        attribute.valueTransformerName.flatMap { archivingNames.contains($0) ? nil : $0 }
    }

    /// The names of the transformer in old models, which allowed every class.
    private static let archivingNames: Set<String> = [
        "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    ]
}

/// The reason why a value can't be decoded or encoded, in complete sentences.
struct TransformableRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    static func unreadable(_ data: Data, _ name: String) -> TransformableRefusal {
        TransformableRefusal(
            "the value transformer '\(name)' can't read the stored data (\(Wording.count(data.count, "byte"))).")
    }

    static func unregistered(_ name: String, _ slot: PropertySlot) -> TransformableRefusal {
        let known = ValueTransformer.valueTransformerNames().map(\.rawValue)
        return TransformableRefusal(
            """
            the value transformer named '\(name)' of attribute \(slot.entityName).\(slot.keyPath) isn't \
            registered.\(NearestNames.suggestion(for: name, in: known)) Register it with \
            ValueTransformer.setValueTransformer(_:forName:) under this name before the store is loaded: without an \
            Objective-C runtime, the name of a transformer's class doesn't find it.
            """
        )
    }
}
