// SPDX-License-Identifier: Apache-2.0

/// Archives and unarchives predicates, expressions and sort descriptors in the form of Apple's classes.
///
/// As the root of an archive they have exactly Apple's form. As parts of other objects they are encoded as the bytes of
/// such an archive: Foundation's archiver on Linux can't write Apple's class names, and its unarchiver stops the
/// program at an unexpected class. Decoding never instantiates a class by its name in an archive.
enum PredicateCoding {
    private static let embedded = EmbeddedArchive(key: "NSPredicateArchive", contents: "Predicates and expressions")

    // MARK: Archives

    /// The archive of a predicate, an expression, a sort descriptor, or an array of these.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for blocks and the program's subclasses, which can't be
    ///   archived.
    static func archive(_ object: Any) throws -> Data {
        let writer = KeyedArchiveWriter()
        return writer.data(root: try add(object, to: writer))
    }

    private static func add(_ object: Any, to writer: KeyedArchiveWriter) throws -> PropertyListValue {
        switch object {
        case let predicate as NSPredicate:
            return try PredicateArchiver(writer: writer, owner: "the predicate").add(predicate)
        case let expression as NSExpression:
            return try PredicateArchiver(writer: writer, owner: "the expression").add(expression)
        case let descriptor as NSSortDescriptor:
            return try ArchivedSortDescriptor.add(descriptor, to: writer, owner: "the sort descriptor")
        case let list as [Any]: return writer.add(array: try list.map { try add($0, to: writer) }, class: .array)
        default:
            throw archivingError(
                "\(Wording.withArticle(type(of: object))) is no predicate, expression or sort descriptor")
        }
    }

    /// The root object of an archive. It must not be evaluated before the program allows it.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of another object.
    static func unarchive<Value>(_ type: Value.Type, from data: Data) throws -> Value {
        guard let value = try object(in: data) as? Value else { throw keyedArchiveError("it contains no \(type)") }
        return value
    }

    private static func object(in data: Data) throws -> Any {
        let root = try KeyedArchiveReader(data).root()
        // Foundation's archiver on Linux writes the classes of this module with the name of the module.
        if root.className.hasPrefix("CoreDataPredicates."), case .plain(.data(let inner)) = try root.value(embedded.key)
        {
            return try decode(KeyedArchiveReader(inner).root(), PredicateUnarchiver(permission: EvaluationPermission()))
        }
        return try decode(root, PredicateUnarchiver(permission: EvaluationPermission()))
    }

    private static func decode(_ object: KeyedArchiveObject, _ unarchiver: PredicateUnarchiver) throws -> Any {
        if KeyedArchiveObject.arrayClasses.contains(object.className) {
            return try object.elements().map { element in
                guard let part = element.object else {
                    throw keyedArchiveError(
                        "a predicate, expression or sort descriptor was expected, not a plain value")
                }
                return try single(part, unarchiver)
            }
        }
        return try single(object, unarchiver)
    }

    private static func single(_ object: KeyedArchiveObject, _ unarchiver: PredicateUnarchiver) throws -> Any {
        if object.className == "NSSortDescriptor" { return try ArchivedSortDescriptor.decode(object) }
        return object.className.hasSuffix("Predicate")
            ? try unarchiver.predicate(object) : try unarchiver.expression(object)
    }

    // MARK: Parts of other archives

    /// Encodes an object. An object that can't be archived stops the program, as on Apple's platforms.
    static func encode(_ object: Any, with coder: NSCoder) {
        do {
            try embedded.encode(archive(object), with: coder)
        } catch {
            let reason = (error as? CocoaError)?.userInfo[NSDebugDescriptionErrorKey] as? String
            programmingError(
                """
                \(object) can't be archived: \(reason ?? error.localizedDescription). Use a predicate without blocks \
                and subclasses.
                """
            )
        }
    }

    /// Decodes an object. After an error it is nil, and the coder has the error.
    static func decode<Value>(_ type: Value.Type, from coder: NSCoder) -> Value? {
        embedded.decode(from: coder) { data in
            guard let data else { throw keyedArchiveError("it contains no \(type)") }
            return try unarchive(type, from: data)
        }
    }
}
