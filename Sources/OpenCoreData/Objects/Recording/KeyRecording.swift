// SPDX-License-Identifier: Apache-2.0

/// Finds the key of a Swift key path by reading the path from an object that records which properties are read.
///
/// Without an Objective-C runtime, a key path doesn't contain the names of computed properties. So an object of the
/// root class is made whose accessors record their keys; a relationship returns a recording object of its destination's
/// class. Recording objects differ from other objects only by their layout. Accessors check the layout only on their
/// slow paths, so that the check costs nothing for other objects.
final class KeyRecording {
    private struct Step {
        let owner: ObjectIdentifier
        let key: String
        /// The type that the accessor declares, nil if it was read by key.
        let type: Any.Type?
    }

    /// The active recordings, by their recording objects. An object and its recording are used on one thread.
    private struct Active: @unchecked Sendable { var recordings: [ObjectIdentifier: KeyRecording] = [:] }
    private static let active = Locked(Active())

    private var recorders: [NSManagedObject] = []
    private var steps: [Step] = []
    /// The number of running initializers. Properties that initializers read and set are not part of the path.
    private var initializationDepth = 0

    // MARK: Reading a key path

    /// The key of a key path of managed objects, or why it has none.
    static func key(of keyPath: AnyKeyPath) -> Result<String, KeyPathProblem> {
        guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else { return .failure(.notManaged) }
        let recording = KeyRecording()
        defer { recording.end() }
        let object: Any = recording.recorder(of: root)
        let value: Any? = object[keyPath: keyPath]
        return recording.result(of: keyPath, valueIsMissing: value == nil)
    }

    /// Makes a recording object of a class.
    private func recorder(of type: NSManagedObject.Type) -> NSManagedObject {
        initializationDepth += 1
        let object = type.init(entity: RecordingModel.entity, insertInto: nil)
        initializationDepth -= 1
        recorders.append(object)
        Self.active.withLock { $0.recordings[ObjectIdentifier(object)] = self }
        return object
    }

    private func end() {
        let keys = recorders.map { ObjectIdentifier($0) }
        Self.active.withLock { active in for key in keys { active.recordings[key] = nil } }
    }

    private func result(of keyPath: AnyKeyPath, valueIsMissing: Bool) -> Result<String, KeyPathProblem> {
        guard let last = steps.last else { return .failure(.noProperty) }
        var owners: Set<ObjectIdentifier> = []
        for step in steps where !owners.insert(step.owner).inserted { return .failure(.several(steps.map(\.key))) }
        let computed = "\(keyPath)".components(separatedBy: "<computed").count - 1
        let value = type(of: keyPath).valueType
        guard computed <= steps.count, last.type.map({ Self.isSame($0, value) }) ?? true else {
            return .failure(.leadsFurther(steps.map(\.key).joined(separator: ".")))
        }
        return .success(steps.map(\.key).joined(separator: "."))
    }

    /// Whether the last property has the type of the whole path, which optional chaining makes optional.
    private static func isSame(_ declared: Any.Type, _ value: Any.Type) -> Bool {
        let declared = unwrapped(declared)
        let value = unwrapped(value)
        return declared == value || (declared is NSManagedObject.Type && value is NSManagedObject.Type)
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
    }

    // MARK: Calls of accessors

    /// Records that a property of a recording object was read.
    private static func record(_ key: String, of object: NSManagedObject, as type: Any.Type?) -> KeyRecording? {
        let identity = ObjectIdentifier(object)
        guard let recording = active.withLock({ $0.recordings[identity] }), recording.initializationDepth == 0 else {
            return nil
        }
        let key = plainName(key)
        // An accessor may read its property more than once.
        if let last = recording.steps.last, last.owner == identity, last.key == key { return recording }
        recording.steps.append(Step(owner: identity, key: key, type: type))
        return recording
    }

    /// The property of a primitive accessor: `title` for `primitiveTitle`.
    private static func plainName(_ key: String) -> String {
        guard key.hasPrefix("primitive"), let first = key.dropFirst(9).first, first.isUppercase else { return key }
        return first.lowercased() + key.dropFirst(10)
    }

    /// The property of the recording model that an accessor reads in place of the real property.
    static func slot(
        of key: String, in object: NSManagedObject, as type: Any.Type?, where matches: (PropertySlot) -> Bool
    )
        -> PropertySlot
    {
        _ = record(key, of: object, as: type)
        return object.layout.recordingSlot(where: matches)
    }

    /// The destination of a to-one relationship of a recording object: another recording object.
    static func destination<Object: NSManagedObject>(of key: String, in object: NSManagedObject, as type: Object.Type)
        -> Object?
    {
        record(key, of: object, as: type).map { $0.recorder(of: type) as! Object }
    }

    /// The value of a key that is read without a type: the entity of the class in a known model has the property.
    static func value(forKey key: String, of object: NSManagedObject) -> Any? {
        guard let recording = record(key, of: object, as: nil),
            let (entity, model) = KnownModels.entity(naming: type(of: object)),
            let slot = entity.entityLayout.slot(named: plainName(key))
        else { return nil }
        defer { withExtendedLifetime(model) {} }
        switch slot.kind {
        case .toOne:
            guard let destination = slot.relationship?.destinationEntity,
                let type = try? destination.entityLayout.classBinding.resolve()
            else { return nil }
            return recording.recorder(of: type)
        case .toMany: return slot.isOrdered ? NSOrderedSet() : NSSet()
        default: return nil
        }
    }
}

/// Why a key path of managed objects has no key.
enum KeyPathProblem: Error {
    case notManaged
    case noProperty
    case several([String])
    case leadsFurther(String)

    var reason: String {
        switch self {
        case .notManaged: "it doesn't begin at a class of managed objects. Give the key as a string."
        case .noProperty:
            """
            it reads no property of the model. Use properties that have accessors of managed objects, or give the key \
            as a string.
            """
        case .several(let keys):
            """
            the property at its end is computed out of several: \(keys.joined(separator: ", ")). Name one of them, \
            or a derived attribute.
            """
        case .leadsFurther(let keys):
            """
            it leads along \(keys) and then to something that is no property of the model. End it at a property of \
            the model, or give the key as a string.
            """
        }
    }
}
