// SPDX-License-Identifier: Apache-2.0

/// Writes a keyed archive in the form of `NSKeyedArchiver`.
///
/// Each function that adds a value returns the reference to it, for use in other objects. For a cycle, reserve a
/// reference first and fill it later. A writer must not be used on several threads at the same time.
package final class KeyedArchiveWriter {
    /// The reference to nil.
    package static let null = PropertyListValue.uid(0)

    private var objects: [PropertyListValue] = [.string("$null")]
    private var plainValues: [PropertyListValue: PropertyListValue] = [:]
    private var classes: [String: PropertyListValue] = [:]

    package init() {}

    /// A reference to an object that is filled later.
    package func reserve() -> PropertyListValue {
        objects.append(.null)
        return .uid(objects.count - 1)
    }

    /// Fills the object of a reserved reference.
    package func fill(
        _ reference: PropertyListValue, class archivedClass: KeyedArchiveClass,
        _ entries: [(key: String, value: PropertyListValue)]
    ) {
        guard case .uid(let index) = reference else { return }
        objects[index] = .dictionary(
            PropertyListDictionary(entries + [(key: "$class", value: self.class(archivedClass))]))
    }

    /// Adds an object.
    package func add(
        class archivedClass: KeyedArchiveClass, _ entries: [(key: String, value: PropertyListValue)]
    ) -> PropertyListValue {
        let reference = reserve()
        fill(reference, class: archivedClass, entries)
        return reference
    }

    /// Adds a string, number, date or data. Equal values are added once.
    package func add(plain value: PropertyListValue) -> PropertyListValue {
        if let known = plainValues[value] { return known }
        let reference: PropertyListValue
        if value == .string("$null") {
            // The plain string "$null" means nil.
            reference = add(class: .mutableString, [(key: "NS.string", value: value)])
        } else {
            objects.append(value)
            reference = .uid(objects.count - 1)
        }
        plainValues[value] = reference
        return reference
    }

    package func add(string: String?) -> PropertyListValue {
        string.map { add(plain: .string($0)) } ?? Self.null
    }

    package func add(array: [PropertyListValue], class archivedClass: KeyedArchiveClass = .mutableArray)
        -> PropertyListValue
    {
        add(class: archivedClass, [(key: "NS.objects", value: .array(array))])
    }

    package func add(
        dictionary: [(key: PropertyListValue, value: PropertyListValue)],
        class archivedClass: KeyedArchiveClass = .mutableDictionary
    ) -> PropertyListValue {
        add(
            class: archivedClass,
            [
                (key: "NS.keys", value: .array(dictionary.map(\.key))),
                (key: "NS.objects", value: .array(dictionary.map(\.value))),
            ])
    }

    /// Adds the objects of a value that wasn't decoded.
    func add(_ undecoded: UndecodedArchiveValue) -> PropertyListValue {
        let shift = objects.count - 1
        objects += undecoded.objects.dropFirst().map { part in
            part.mappingReferences { $0 == 0 ? 0 : $0 + shift }
        }
        return .uid(shift + 1)
    }

    private func `class`(_ archivedClass: KeyedArchiveClass) -> PropertyListValue {
        if let known = classes[archivedClass.name] { return known }
        objects.append(
            .dictionary([
                "$classname": .string(archivedClass.name),
                "$classes": .array(archivedClass.chain.map(PropertyListValue.string)),
            ]))
        let reference = PropertyListValue.uid(objects.count - 1)
        classes[archivedClass.name] = reference
        return reference
    }

    /// The archive as a property list.
    func propertyList(root: PropertyListValue) -> PropertyListValue {
        .dictionary([
            "$version": .integer(100_000),
            "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": root]),
            "$objects": .array(objects),
        ])
    }

    /// The archive as a binary property list.
    package func data(root: PropertyListValue) -> Data {
        BinaryPropertyListWriter.write(propertyList(root: root))
    }
}

/// The name of a class and of its superclasses in a keyed archive.
package struct KeyedArchiveClass: Sendable, Hashable {
    let name: String
    /// The names from the class itself to `NSObject`.
    let chain: [String]

    package init(_ name: String, _ ancestors: String...) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
    }

    package static let array = KeyedArchiveClass("NSArray")
    package static let mutableArray = KeyedArchiveClass("NSMutableArray", "NSArray")
    package static let set = KeyedArchiveClass("NSSet")
    static let orderedSet = KeyedArchiveClass("NSOrderedSet")
    package static let dictionary = KeyedArchiveClass("NSDictionary")
    package static let mutableDictionary = KeyedArchiveClass("NSMutableDictionary", "NSDictionary")
    static let mutableString = KeyedArchiveClass("NSMutableString", "NSString")
    static let date = KeyedArchiveClass("NSDate")
    static let uuid = KeyedArchiveClass("NSUUID")
    static let url = KeyedArchiveClass("NSURL")
    static let nullObject = KeyedArchiveClass("NSNull")
    static let decimalNumber = KeyedArchiveClass(
        "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue")
}
