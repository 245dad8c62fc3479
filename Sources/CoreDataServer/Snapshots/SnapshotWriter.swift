// SPDX-License-Identifier: Apache-2.0

/// Writes a snapshot into objects: first everything is checked, then all values are set.
struct SnapshotWriter {
    private let context: NSManagedObjectContext
    private let properties: SnapshotProperties
    private let mayRefer: (NSManagedObject) throws -> Bool
    private var problems: [SnapshotError.Problem] = []
    private var assignments: [(object: NSManagedObject, key: String, value: Any?)] = []
    /// The objects that the snapshot makes. The first one is the snapshot's root object, if it is new.
    private var newObjects: [NSManagedObject] = []
    /// The objects that were found, by the entity that a relationship leads to.
    private var lookups: [String: SnapshotLookup] = [:]

    /// - Throws: ``SnapshotError``; the error of an object without a context; the error of the caller's check; the
    ///   error of an object or relationship that can't be read, since its empty values must be neither compared nor
    ///   replaced.
    static func write(
        _ snapshot: ManagedObjectSnapshot, into object: NSManagedObject, _ properties: SnapshotProperties, isNew: Bool,
        mayRefer: @escaping (NSManagedObject) throws -> Bool
    ) throws {
        try SnapshotReader.checkEntity(of: object, properties.shape)
        guard let context = object.managedObjectContext else {
            throw CoreDataErrors.error(
                NSCoreDataError, "A snapshot can\u{2019}t be written.", reason: "The object has no context.",
                suggestion: "Use an object that isn\u{2019}t deleted.")
        }
        var writer = SnapshotWriter(context: context, properties: properties, mayRefer: mayRefer)
        do {
            try context.throwingReadFailures { try writer.collect(snapshot, object, isNew: isNew) }
            // The other sides of relationships are read when these are set.
            try context.throwingReadFailures {
                for (object, key, value) in writer.assignments { object.setValue(value, forKey: key) }
            }
        } catch {
            writer.newObjects.forEach(context.delete)
            // An object that was inserted and deleted is then no longer a pending change.
            if !writer.newObjects.isEmpty { context.processPendingChanges() }
            throw error
        }
    }

    private init(
        context: NSManagedObjectContext, properties: SnapshotProperties,
        mayRefer: @escaping (NSManagedObject) throws -> Bool
    ) {
        (self.context, self.properties, self.mayRefer) = (context, properties, mayRefer)
    }

    private mutating func report(_ keyPath: String, _ kind: SnapshotError.Kind, _ message: String) {
        problems.append(SnapshotError.Problem(keyPath: keyPath, kind: kind, message: message))
    }

    private mutating func check(_ version: SnapshotValue, of object: NSManagedObject, _ key: String) throws {
        guard case .integer(let given) = version else {
            return report(key, .wrongType, "The version must be a whole number.")
        }
        try object.readAgainAfterFailure()
        if object.rowVersion.map(Int64.init) != given {
            report(key, .outdated, "The object has changed since version \(given).")
        }
    }

    // MARK: Values

    /// Checks a snapshot, and reads the values that it replaces.
    private mutating func collect(_ snapshot: ManagedObjectSnapshot, _ object: NSManagedObject, isNew: Bool) throws {
        var values = snapshot.values
        if let key = properties.versionKey, let version = values.removeValue(forKey: key) {
            if isNew {
                report(key, .unknownKey, "A new object has no version.")
            } else {
                try check(version, of: object, key)
            }
        }
        try collect(values, object, properties.shape, isNew: isNew, path: "")
        guard problems.isEmpty else { throw SnapshotError(problems.sorted { $0.keyPath < $1.keyPath }) }
    }

    private mutating func collect(
        _ values: [String: SnapshotValue], _ object: NSManagedObject, _ shape: SnapshotShape, isNew: Bool, path: String
    ) throws {
        if !isNew {
            try object.readAgainAfterFailure()
            object.loadValues()
        }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? key : "\(path).\(key)"
            if let attribute = shape.attributes[key] {
                collect(value, attribute, object, place)
            } else if let relationship = shape.relationships[key] {
                try collect(value, relationship, object, isNew: isNew, place)
            } else if key == shape.identityKey, !isNew {
                if try SnapshotReader.identity(of: object, shape.identity) != value {
                    report(place, .invalidValue, "Another object has the ID.")
                }
            } else {
                report(place, .unknownKey, "The key is not one of those that may be written.")
            }
        }
    }

    private mutating func collect(
        _ value: SnapshotValue, _ attribute: SnapshotShape.Attribute, _ object: NSManagedObject, _ place: String
    ) {
        do {
            var checked: AnyObject? = try attribute.form.attributeValue(value)
            do {
                try object.validateValue(&checked, forKey: attribute.name)
                assignments.append((object, attribute.name, checked))
            } catch {
                report(place, .invalidValue, SnapshotError.rule(error as NSError))
            }
        } catch {
            problems += error.below(place).problems
        }
    }

    // MARK: Relationships

    private mutating func collect(
        _ value: SnapshotValue, _ relationship: SnapshotShape.Relationship, _ owner: NSManagedObject, isNew: Bool,
        _ place: String
    ) throws {
        guard relationship.isToMany else {
            if value == .null { return assignments.append((owner, relationship.name, nil)) }
            let present = isNew ? nil : owner.value(forKey: relationship.name) as? NSManagedObject
            guard let object = try related(value, relationship, present: present, place) else { return }
            return assignments.append((owner, relationship.name, object))
        }
        guard case .array(let elements) = value else {
            return report(place, .wrongType, "The value must be an array, and is \(value.formName).")
        }
        guard elements.count <= properties.memberLimit else {
            return report(place, .invalidValue, "At most \(properties.memberLimit) objects may be named.")
        }
        if !isNew { _ = owner.value(forKey: relationship.name) }
        try fetchObjects(named: elements, relationship)
        var members: [NSManagedObject] = []
        var known: Set<ObjectIdentifier> = []
        for (index, element) in elements.enumerated() {
            guard let member = try related(element, relationship, present: nil, "\(place)[\(index)]") else { continue }
            guard known.insert(ObjectIdentifier(member)).inserted else {
                report("\(place)[\(index)]", .invalidValue, "The object is named twice.")
                continue
            }
            members.append(member)
        }
        assignments.append(
            (owner, relationship.name, relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)))
    }

    private func lookup(for relationship: SnapshotShape.Relationship) -> SnapshotLookup {
        lookups[relationship.destination] ?? SnapshotLookup(context: context, entity: relationship.destination)
    }

    /// Fetches the objects that the elements of an array name by URIs.
    private mutating func fetchObjects(
        named elements: [SnapshotValue], _ relationship: SnapshotShape.Relationship
    ) throws {
        guard case .uri = relationship.identity else { return }
        var uris: [String] = []
        for element in elements {
            switch element {
            case .string(let uri): uris.append(uri)
            case .object(let values):
                if case .string(let uri)? = values[SnapshotShape.uriKey] { uris.append(uri) }
            default: break
            }
        }
        var changed = lookup(for: relationship)
        try changed.fetch(uris: uris)
        lookups[relationship.destination] = changed
    }

    /// The object of a relationship: named by its ID, written into, or made. Nil after a problem.
    ///
    /// - Parameter present: the related object now, for a snapshot without an ID.
    private mutating func related(
        _ value: SnapshotValue, _ relationship: SnapshotShape.Relationship, present: NSManagedObject?, _ place: String
    ) throws -> NSManagedObject? {
        guard case .object(var values) = value, let content = relationship.content else {
            return try object(value, relationship, place)
        }
        if let identity = values.removeValue(forKey: content.identityKey) {
            guard let named = try object(identity, relationship, "\(place).\(content.identityKey)") else { return nil }
            try collect(values, named, content, isNew: false, path: place)
            return named
        }
        if let present {
            guard try mayRefer(present) else {
                report(place, .unknownObject, "The related object may not be changed.")
                return nil
            }
            try collect(values, present, content, isNew: false, path: place)
            return present
        }
        guard !relationship.isAbstract else {
            report(
                place, .invalidValue,
                "No new \(relationship.destination) can be made: name an existing object by its \(content.identityKey)."
            )
            return nil
        }
        let new = NSEntityDescription.insertNewObject(forEntityName: relationship.destination, into: context)
        newObjects.append(new)
        try collect(values, new, content, isNew: true, path: place)
        return new
    }

    /// The object that an ID names. Nil after a problem.
    private mutating func object(
        _ identity: SnapshotValue, _ relationship: SnapshotShape.Relationship, _ place: String
    ) throws -> NSManagedObject? {
        let lookup = lookup(for: relationship)
        let found: NSManagedObject?
        switch relationship.identity {
        case .uri:
            guard case .string(let text) = identity else {
                report(place, .wrongType, "The ID must be a text, and is \(identity.formName).")
                return nil
            }
            found = try lookup.object(uri: text)
        case .attribute(let attribute):
            do {
                found = try lookup.object(attribute.name, try attribute.form.attributeValue(identity))
            } catch let error as SnapshotError {
                problems += error.below(place).problems
                return nil
            }
        }
        guard let found, try mayRefer(found) else {
            report(place, .unknownObject, "There is no \(relationship.destination) with this ID.")
            return nil
        }
        return found
    }
}
