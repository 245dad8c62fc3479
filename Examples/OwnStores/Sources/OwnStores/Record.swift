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
public enum RecordValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case decimal(String)
    case date(Double)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// The elements of a composite attribute.
    case elements([String: RecordValue])
    /// The data that the transformer of a transformable attribute has made of a value.
    case archive(Data)

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
        case (.transformableAttributeType, _): self = .archive(try attribute.data(of: value))
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
    ///
    /// - Parameter attribute: the attribute of the value.
    public func value(_ attribute: NSAttributeDescription) throws -> Any {
        switch self {
        case .text(let text): return text
        case .integer(let number): return NSNumber(value: number)
        case .number(let number): return NSNumber(value: number)
        case .decimal(let text): return NSDecimalNumber(string: text)
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): return data
        case .uuid(let uuid): return uuid
        case .url(let url): return url
        case .archive(let data): return try attribute.value(of: data)
        case .elements(let values):
            var result: [String: Any] = [:]
            for element in (attribute as? NSCompositeAttributeDescription)?.elements ?? [] {
                result[element.name] = try values[element.name]?.value(element)
            }
            return result
        }
    }
}

/// In JSON a value is an object with its type as the only key: `{"text": "The Dispossessed"}`.
extension RecordValue: Codable {
    private enum Key: String, CodingKey {
        case text, integer, number, decimal, date, data, uuid, url, elements, archive
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .integer(let number): try container.encode(number, forKey: .integer)
        case .number(let number): try container.encode(number, forKey: .number)
        case .decimal(let text): try container.encode(text, forKey: .decimal)
        case .date(let seconds): try container.encode(seconds, forKey: .date)
        case .data(let data): try container.encode(data, forKey: .data)
        case .uuid(let uuid): try container.encode(uuid, forKey: .uuid)
        case .url(let url): try container.encode(url, forKey: .url)
        case .elements(let values): try container.encode(values, forKey: .elements)
        case .archive(let data): try container.encode(data, forKey: .archive)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch container.allKeys.first {
        case .text?: self = .text(try container.decode(String.self, forKey: .text))
        case .integer?: self = .integer(try container.decode(Int64.self, forKey: .integer))
        case .number?: self = .number(try container.decode(Double.self, forKey: .number))
        case .decimal?: self = .decimal(try container.decode(String.self, forKey: .decimal))
        case .date?: self = .date(try container.decode(Double.self, forKey: .date))
        case .data?: self = .data(try container.decode(Data.self, forKey: .data))
        case .uuid?: self = .uuid(try container.decode(UUID.self, forKey: .uuid))
        case .url?: self = .url(try container.decode(URL.self, forKey: .url))
        case .elements?: self = .elements(try container.decode([String: RecordValue].self, forKey: .elements))
        case .archive?: self = .archive(try container.decode(Data.self, forKey: .archive))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: container.codingPath, debugDescription: "The value has no type."))
        }
    }
}

/// The data of transformable values: what their transformer makes, or an archive of allowed classes.
extension NSAttributeDescription {
    private func transformer() throws -> ValueTransformer? {
        guard let name = valueTransformerName, !name.isEmpty else { return nil }
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(rawValue: name)) else {
            throw CocoaError(.featureUnsupported)
        }
        return transformer
    }

    fileprivate func data(of value: Any) throws -> Data {
        guard let transformer = try transformer() else {
            return try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        }
        // A transformer that reads archives is used in the other direction.
        let isReader = transformer is NSSecureUnarchiveFromDataTransformer
        let data = isReader ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
        guard let data = data as? Data else { throw CocoaError(.coderInvalidValue) }
        return data
    }

    fileprivate func value(of data: Data) throws -> Any {
        let value: Any?
        if let transformer = try transformer() {
            let isReader = transformer is NSSecureUnarchiveFromDataTransformer
            value = isReader ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
        } else {
            // An archive may come from anybody: it must not choose the classes.
            var classes = NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses
            if let name = attributeValueClassName, let own: AnyClass = NSClassFromString(name) { classes.append(own) }
            value = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        }
        guard let value else { throw CocoaError(.coderReadCorrupt) }
        // Managed objects have Foundation's collections.
        switch value {
        case let array as [Any]: return NSArray(array: array)
        case let dictionary as [AnyHashable: Any]: return NSDictionary(dictionary: dictionary)
        default: return value
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
