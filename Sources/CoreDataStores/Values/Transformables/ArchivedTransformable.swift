// SPDX-License-Identifier: Apache-2.0

/// Transformable values without a transformer: keyed archives that contain objects of allowed classes only, because an
/// archive in a file must not choose which code runs.
///
/// Allowed are Foundation's classes of plain values and collections; the class that the model names for the attribute;
/// the classes that registered subclasses of `NSSecureUnarchiveFromDataTransformer` allow; and classes given to
/// `NSKeyedUnarchiver.setClass(_:forClassName:)`.
enum ArchivedTransformable {
    // MARK: Reading

    /// - Throws: a `TransformableRefusal` that names the class that isn't allowed.
    static func value(of data: Data, attribute: NSAttributeDescription, trust: ArchiveTrust) throws -> Any {
        let archive = try KeyedArchiveReader(data)
        try archive.checkNesting()
        if let refused = untrustedClass(in: archive, attribute, trust) {
            throw TransformableRefusal(
                "the archive contains an object of the class \(refused), which isn't allowed. \(remedy(refused))")
        }
        // Foundation's unarchiver is for archives with objects of other classes.
        if let value = try PlainArchive.root(of: archive) ?? unarchived(data) { return value }
        throw TransformableRefusal(
            "the stored data (\(Wording.count(data.count, "byte"))) is no keyed archive of an object.")
    }

    /// The name of the first class in an archive that isn't allowed; nil if there is none.
    static func untrustedClass(
        in archive: KeyedArchiveReader, _ attribute: NSAttributeDescription, _ trust: ArchiveTrust
    )
        -> String?
    {
        if trust.allowsAllClasses { return nil }
        return AllowedClasses(for: attribute, adding: trust.classes).firstDisallowedClass(in: classNames(in: archive))
    }

    private static func unarchived(_ data: Data) throws -> Any? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    /// The names of all classes in an archive, in order.
    private static func classNames(in archive: KeyedArchiveReader) -> [String] {
        archive.objects.flatMap { object -> [String] in
            guard let description = object.dictionaryValue, let name = description["$classname"]?.stringValue else {
                return []
            }
            // The classes that the unarchiver uses if the program doesn't have the class.
            let hints = (description["$classhints"]?.arrayValue ?? []).compactMap(\.stringValue)
            return [name] + hints
        }
    }

    private static func remedy(_ name: String) -> String {
        """
        Name \(name) as the attribute's class in the model, or give the attribute a subclass of \
        NSSecureUnarchiveFromDataTransformer that allows it.
        """
    }

    // MARK: Writing

    /// - Throws: a `TransformableRefusal` for a value that can't be archived, or couldn't be read again.
    static func data(of value: Any, attribute: NSAttributeDescription, trust: ArchiveTrust) throws -> Data {
        let object = ArchivableValue.object(value)
        guard object is any NSCoding else {
            throw TransformableRefusal(
                """
                a value of type \(type(of: value)) has no NSCoding, and the attribute names no value transformer. \
                Register one with ValueTransformer.setValueTransformer(_:forName:), and name it in the model.
                """
            )
        }
        let data: Data
        do {
            data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        } catch {
            throw TransformableRefusal(
                "a value of type \(type(of: value)) can't be archived: \(error.localizedDescription)")
        }
        // Plain values can always be read; the archives of other values are checked.
        if !ArchivableValue.isPlain(object) { _ = try Self.value(of: data, attribute: attribute, trust: trust) }
        return data
    }
}

/// The classes that an archive may contain.
private struct AllowedClasses {
    let classes: [AnyClass]
    /// A class that the model names, which may be without its module, or have none in this program.
    private let modelName: String?

    init(for attribute: NSAttributeDescription, adding trusted: [AnyClass]) {
        var classes = NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses + [NSOrderedSet.self] + trusted
        for name in ValueTransformer.valueTransformerNames() {
            guard let transformer = ValueTransformer.transformer(forName: name) as? NSSecureUnarchiveFromDataTransformer
            else { continue }
            classes += type(of: transformer).allowedTopLevelClasses
        }
        modelName = attribute.explicitValueClassName.map { name in name.hasPrefix(".") ? String(name.dropFirst()) : name
        }
        if let modelName, let named = NSKeyedUnarchiver.class(forClassName: modelName) ?? NSClassFromString(modelName) {
            classes.append(named)
        }
        self.classes = classes
    }

    func firstDisallowedClass(in names: [String]) -> String? { names.first { !allows($0) } }

    private func allows(_ name: String) -> Bool {
        if KnownClassNames.all.contains(name) { return true }
        if let modelName, name == modelName || name.hasSuffix("." + modelName) { return true }
        if NSKeyedUnarchiver.class(forClassName: name) != nil { return true }
        guard let type = NSClassFromString(name) as? NSObject.Type else { return false }
        return classes.contains { type.isSubclass(of: $0) }
    }

    /// The names of Foundation's classes in archives. Some of the classes don't exist on Linux.
    private enum KnownClassNames {
        static let all: Set<String> = [
            "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet",
            "NSOrderedSet", "NSMutableOrderedSet",
            "NSString", "NSMutableString", "NSNumber", "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSDate",
            "NSData", "NSMutableData", "NSURL", "NSUUID",
            "NSNull", "NSObject",
        ]
    }
}

/// A Swift value as the Foundation object in an archive.
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

    /// Whether a value consists of Foundation's plain values and collections alone.
    static func isPlain(_ value: Any) -> Bool {
        switch object(value) {
        case is NSString, is NSNumber, is NSDate, is NSData, is NSURL, is NSUUID, is NSNull: true
        case let array as NSArray: array.allSatisfy(isPlain)
        case let set as NSSet: set.allSatisfy(isPlain)
        case let set as NSOrderedSet: set.allSatisfy(isPlain)
        case let dictionary as NSDictionary: dictionary.allSatisfy { isPlain($0.key) && isPlain($0.value) }
        default: false
        }
    }
}
