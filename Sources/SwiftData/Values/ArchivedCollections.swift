// SPDX-License-Identifier: Apache-2.0

/// Arrays and dictionaries of plain values as Foundation's collections, which keyed archives contain.
enum ArchivedCollections {
    /// An array, a set or a dictionary as the collection of Foundation; nil for another value.
    static func object(of value: Any) -> NSObject? {
        if let elements = value as? any CollectedElements { return elements.foundationObject }
        return nil
    }

    /// The object of Foundation for an element.
    fileprivate static func element(_ value: Any) -> NSObject {
        guard let value = AnyValues.unwrapped(value) else { return NSNull() }
        switch value {
        case let text as String: return NSString(string: text)
        case let date as Date: return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as Data: return NSData(data: data)
        case let url as URL: return url as NSURL
        case let uuid as UUID: return uuid as NSUUID
        case let collection as any CollectedElements: return collection.foundationObject
        case let plain as any AttributeValue: return plain.storedValue as? NSObject ?? NSNull()
        default: return value as? NSObject ?? NSNull()
        }
    }

    /// A collection of a type, made from Foundation's collection; nil if an element has another type.
    static func value(of type: any Any.Type, from object: Any) -> Any? {
        let type = TypeKind.unwrapped(type).type
        if let plain = type as? any AttributeValue.Type { return plain.init(storedValue: object) }
        if let array = type as? any CollectedElements.Type { return array.make(from: object) }
        return nil
    }
}

/// A collection whose elements are converted one by one.
private protocol CollectedElements {
    var foundationObject: NSObject { get }
    static func make(from object: Any) -> Any?
}

private func elements(of object: Any) -> [Any]? {
    switch object {
    case let array as NSArray: array.map { $0 }
    case let set as NSSet: set.map { $0 }
    case let array as [Any]: array
    default: nil
    }
}

private func converted<Element>(_ object: Any, to type: Element.Type) -> Element? {
    if object is NSNull { return AnyValues.cast(nil, to: type) }
    return ArchivedCollections.value(of: type, from: object) as? Element
}

extension Array: CollectedElements {
    fileprivate var foundationObject: NSObject { NSArray(array: map { ArchivedCollections.element($0) }) }

    fileprivate static func make(from object: Any) -> Any? {
        guard let objects = elements(of: object) else { return nil }
        var array: [Element] = []
        for object in objects {
            guard let element = converted(object, to: Element.self) else { return nil }
            array.append(element)
        }
        return array
    }
}

extension Set: CollectedElements {
    fileprivate var foundationObject: NSObject { NSArray(array: map { ArchivedCollections.element($0) }) }

    fileprivate static func make(from object: Any) -> Any? {
        ([Element].make(from: object) as? [Element]).map { Set($0) }
    }
}

extension Dictionary: CollectedElements {
    fileprivate var foundationObject: NSObject {
        let dictionary = NSMutableDictionary()
        for (key, value) in self {
            dictionary.setObject(ArchivedCollections.element(value), forKey: NSString(string: "\(key)"))
        }
        return dictionary
    }

    fileprivate static func make(from object: Any) -> Any? {
        guard let source = object as? NSDictionary else { return nil }
        var dictionary: [Key: Value] = [:]
        for (key, object) in source {
            guard let key = converted(key, to: Key.self), let value = converted(object, to: Value.self) else {
                return nil
            }
            dictionary[key] = value
        }
        return dictionary
    }
}
