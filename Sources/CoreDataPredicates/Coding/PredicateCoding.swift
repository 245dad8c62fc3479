/// How predicates, expressions and sort descriptors are written into archives, in the form of Apple's classes.
///
/// On their own they are archives as a Mac writes them. As parts of other objects they are written as the bytes of such
/// an archive: Linux's archiver can't write Apple's class names, and its unarchiver stops the program where it meets
/// another class than expected. Nothing is instantiated by a name in an archive.
enum PredicateCoding {
    /// Under which key the bytes stand.
    private static let key = "NSPredicateArchive"

    // MARK: Archives on their own

    /// An archive of a predicate, an expression, a sort descriptor, or an array of these.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for what has no archived form: blocks, and subclasses of the
    ///   program's.
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
            throw CocoaError(
                .coderInvalidValue,
                userInfo: [NSDebugDescriptionErrorKey: "a \(type(of: object)) is no part of a fetch"])
        }
    }

    /// What an archive holds, not allowed to be evaluated yet.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for an archive of something
    ///   else, or a damaged one.
    static func unarchive<Value>(_ type: Value.Type, from data: Data) throws -> Value {
        guard let value = try object(in: data) as? Value else { throw keyedArchiveError("it holds no \(type)") }
        return value
    }

    private static func object(in data: Data) throws -> Any {
        let root = try KeyedArchiveReader(data).root()
        // Linux's archiver writes our classes with their module, and what they write of themselves.
        if root.className.hasPrefix("CoreDataPredicates."), case .plain(.data(let inner)) = try root.value(key) {
            return try decode(KeyedArchiveReader(inner).root(), PredicateUnarchiver(permission: EvaluationPermission()))
        }
        return try decode(root, PredicateUnarchiver(permission: EvaluationPermission()))
    }

    private static func decode(_ object: KeyedArchiveObject, _ unarchiver: PredicateUnarchiver) throws -> Any {
        if KeyedArchiveObject.arrayClasses.contains(object.className) {
            return try object.elements().map { element in
                guard let part = element.object else {
                    throw keyedArchiveError("a bare value stands where a part of a fetch belongs")
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

    /// Writes a part. One that has no archived form stops the program, as it does on Apple's platforms.
    static func encode(_ object: Any, with coder: NSCoder) {
        requireKeys(coder)
        do {
            let bytes = [UInt8](try archive(object))
            coder.encodeBytes(bytes, length: bytes.count, forKey: key)
        } catch {
            let reason = (error as? CocoaError)?.userInfo[NSDebugDescriptionErrorKey] as? String
            programmingError(
                """
                \(object) can't be archived: \(reason ?? error.localizedDescription). Use parts that have an \
                archived form.
                """
            )
        }
    }

    /// Reads a part; nil after telling the coder why there is none.
    static func decode<Value>(_ type: Value.Type, from coder: NSCoder) -> Value? {
        requireKeys(coder)
        do {
            let data: Data? = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes in bytes.map { Data($0) } }
            guard let data else { throw keyedArchiveError("it holds no \(type)") }
            return try unarchive(type, from: data)
        } catch {
            if coder.error == nil { coder.failWithError(error) }
            return nil
        }
    }

    private static func requireKeys(_ coder: NSCoder) {
        guard coder.allowsKeyedCoding else {
            programmingError(
                "Predicates and expressions are archived by keys only. Use NSKeyedArchiver and NSKeyedUnarchiver.")
        }
    }
}
