// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

extension SyncProperty {
    /// The value of an object, as messages contain it.
    ///
    /// - Parameters:
    ///   - blob: the name of a large value of the object, if it is known: to make it, all bytes are read.
    ///   - identity: the UUID of an object that it refers to; nil for one that doesn't travel.
    /// - Throws: ``SyncValueError`` for a value that no message can contain.
    package func value(
        of object: NSManagedObject, blob: SyncBlob? = nil, _ identity: (NSManagedObjectID) throws -> UUID?
    ) throws -> SyncValue {
        switch kind {
        case .attribute:
            if let blob, (object.value(forKey: key) as? Data)?.count == Int(clamping: blob.size) { return .blob(blob) }
            return try syncValue(object.value(forKey: key), entity: object.entity.name ?? "")
        case .toOne:
            return try references(of: object).first.flatMap(identity).map(SyncValue.object) ?? .null
        case .members:
            return .objects(try references(of: object).compactMap(identity).sorted())
        case .order:
            return .objects(try references(of: object).compactMap(identity))
        }
    }

    /// The value of an object, with all bytes of a large one.
    package func wholeValue(
        of object: NSManagedObject, _ identity: (NSManagedObjectID) throws -> UUID?
    ) throws -> SyncValue {
        if mayBeBlob, let data = object.value(forKey: key) as? Data { return .data(data) }
        return try value(of: object, identity)
    }

    /// The objects that an object refers to by this property.
    package func references(of object: NSManagedObject) -> [NSManagedObjectID] {
        if case .attribute = kind { return [] }
        return object.relatedIDs(forKey: key)
    }

    /// The sum of a number and a difference, as a value of the attribute.
    ///
    /// - Throws: ``SyncValueError`` for another type, or a sum beyond the range of the attribute.
    package func sum(_ present: Any?, _ difference: SyncValue, entity: String) throws -> Any? {
        let result: SyncValue =
            switch (try syncValue(present, entity: entity), difference) {
            case (.null, let difference): difference
            case (.integer(let one), .integer(let other)):
                one.addingReportingOverflow(other).overflow ? .text("") : .integer(one + other)
            case (.double(let one), .double(let other)): .double(one + other)
            case (.decimal(let one), .decimal(let other)): .decimal(one + other)
            default: .text("")
            }
        return try value(result, entity: entity)
    }

    /// The difference of two numbers; nil for values without one.
    package static func difference(_ new: SyncValue, _ old: SyncValue) -> SyncValue? {
        switch (new, old) {
        case (let new, .null): new == .null ? nil : new
        case (.integer(let new), .integer(let old)):
            new.subtractingReportingOverflow(old).overflow ? nil : .integer(new - old)
        case (.double(let new), .double(let old)): .double(new - old)
        case (.decimal(let new), .decimal(let old)): .decimal(new - old)
        default: nil
        }
    }

    /// Whether a relationship may have objects of an entity.
    package func accepts(_ entity: NSEntityDescription) -> Bool {
        var current: NSEntityDescription? = entity
        while let entity = current {
            if entity.name == destinationName { return true }
            current = entity.superentity
        }
        return false
    }
}

extension NSManagedObject {
    /// The objects of a relationship, in its order if it has one.
    package func relatedIDs(forKey key: String) -> [NSManagedObjectID] {
        switch value(forKey: key) {
        case let target as NSManagedObject: [target.objectID]
        case let ordered as NSOrderedSet: ordered.compactMap { ($0 as? NSManagedObject)?.objectID }
        case let members as NSSet: members.compactMap { ($0 as? NSManagedObject)?.objectID }
        default: []
        }
    }

    /// Sets an attribute as a fetch does: without the setter of the class.
    package func setSyncValue(_ value: Any?, forKey key: String) {
        willChangeValue(forKey: key)
        setPrimitiveValue(value, forKey: key)
        didChangeValue(forKey: key)
    }
}
