import CoreData

/// An object as a service or a file has it.
public struct Record: Codable, Sendable {
    public var name: RecordName
    /// Another number after each change.
    public var version: UInt64 = 1
    public var attributes: [String: RecordValue] = [:]
    /// The destinations of relationships, in order.
    public var relationships: [String: [RecordName]] = [:]

    public init(_ name: RecordName) { self.name = name }
}

/// The name of an object.
public struct RecordName: Codable, Hashable, Sendable {
    public var entity: String
    public var id: String

    public init(entity: String, id: String) {
        self.entity = entity
        self.id = id
    }
}

/// The value of an attribute, in a form that JSON has.
public enum RecordValue: Codable, Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case decimal(String)
    case date(Double)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// The elements of a composite attribute.
    indirect case elements([String: RecordValue])
    /// What a property list can have: arrays, dictionaries and plain values.
    case list(Data)

    public init(_ value: Any, _ attribute: NSAttributeDescription) throws {
        switch (attribute.attributeType, value) {
        case (.doubleAttributeType, let number as NSNumber), (.floatAttributeType, let number as NSNumber):
            self = .number(number.doubleValue)
        case (.decimalAttributeType, let number as NSDecimalNumber): self = .decimal(number.stringValue)
        case (.dateAttributeType, let date as Date): self = .date(date.timeIntervalSinceReferenceDate)
        case (.stringAttributeType, let text as String): self = .text(text)
        case (.binaryDataAttributeType, let data as Data): self = .data(data)
        case (.UUIDAttributeType, let uuid as UUID): self = .uuid(uuid)
        case (.URIAttributeType, let url as URL): self = .url(url)
        // Instances of other classes would have to be read from an archive, which may come from anybody.
        case (.transformableAttributeType, _) where PropertyListSerialization.propertyList(value, isValidFor: .binary):
            self = .list(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
        case (.compositeAttributeType, let values as [String: Any]):
            let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
            self = .elements(
                try Dictionary(
                    uniqueKeysWithValues: elements.compactMap { element in
                        guard let value = values[element.name], !(value is NSNull) else { return nil }
                        return (element.name, try RecordValue(value, element))
                    }))
        case (_, let number as NSNumber): self = .integer(number.int64Value)
        default: throw CocoaError(.featureUnsupported)
        }
    }

    /// The value as managed objects have it.
    public func value() throws -> Any {
        switch self {
        case .text(let text): text
        case .integer(let number): NSNumber(value: number)
        case .number(let number): NSNumber(value: number)
        case .decimal(let text): NSDecimalNumber(string: text)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .url(let url): url
        case .elements(let elements): try elements.mapValues { try $0.value() }
        case .list(let data): try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        }
    }
}

extension Record {
    /// The record of a managed object.
    ///
    /// - Parameters:
    ///   - object: the object, on the queue of its context.
    ///   - name: the name of the object with an ID.
    public init(_ object: NSManagedObject, name: (NSManagedObjectID) -> RecordName) throws {
        self.init(name(object.objectID))
        for (key, attribute) in object.entity.attributesByName where !attribute.isTransient {
            guard let value = object.value(forKey: key) else { continue }
            attributes[key] = try RecordValue(value, attribute)
        }
        for (key, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
            let members: [Any]
            switch object.value(forKey: key) {
            case let set as NSOrderedSet: members = set.array
            case let set as NSSet: members = set.allObjects
            case let one?: members = [one]
            case nil: members = []
            }
            let ids = members.compactMap { ($0 as? NSManagedObject)?.objectID }
            if !ids.isEmpty { relationships[key] = ids.map(name) }
        }
    }
}
