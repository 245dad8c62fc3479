import CoreDataPredicates

/// How fetch requests are written into archives, in the form of Apple's class; the entity by its name, without its
/// model.
enum FetchRequestCoding {
    private static let key = "NSFetchRequestArchive"

    /// An archive of a request.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts that have no archived form: blocks, and subclasses of
    ///   the program's.
    static func archive(_ description: FetchDescription) throws -> Data {
        let archiver = try ModelArchiver(NSManagedObjectModel(), form: .coded)
        var description = description
        description.entityNameStorage = description.entityName
        description.entity = nil
        return archiver.writer.data(root: try archiver.add(description, owner: "the fetch request"))
    }

    /// The request in an archive. Its predicates may not be evaluated before `allowEvaluation()`; a store may fetch by
    /// them.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840).
    static func unarchive(_ data: Data) throws -> FetchDescription {
        let root = try KeyedArchiveReader(data).root()
        if case .plain(.data(let inner)) = try root.value(key) {
            return try description(KeyedArchiveReader(inner).root())
        }
        return try description(root)
    }

    private static func description(_ root: KeyedArchiveObject) throws -> FetchDescription {
        try ModelUnarchiver(request: root).fetchRequest(root).fetchDescription
    }

    // MARK: Parts of other archives

    static func encode(_ description: FetchDescription, with coder: NSCoder) {
        requireKeys(coder)
        do {
            let bytes = [UInt8](try archive(description))
            coder.encodeBytes(bytes, length: bytes.count, forKey: key)
        } catch {
            let reason = (error as? CocoaError)?.userInfo[NSDebugDescriptionErrorKey] as? String
            programmingError(
                """
                The fetch request can't be archived: \(reason ?? error.localizedDescription). Use parts that have \
                an archived form.
                """
            )
        }
    }

    static func decode(from coder: NSCoder) -> FetchDescription? {
        requireKeys(coder)
        do {
            let data: Data? = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes in bytes.map { Data($0) } }
            guard let data else { throw keyedArchiveError("it holds no fetch request") }
            return try unarchive(data)
        } catch {
            if coder.error == nil { coder.failWithError(error) }
            return nil
        }
    }

    private static func requireKeys(_ coder: NSCoder) {
        guard coder.allowsKeyedCoding else {
            programmingError("Fetch requests are archived by keys only. Use NSKeyedArchiver and NSKeyedUnarchiver.")
        }
    }
}

// A generic class has no name by which Linux's unarchiver finds it; with these, sources compile unchanged.

extension NSKeyedArchiver {
    /// An archive of a fetch request, as Apple's class writes it.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for one with a block.
    public class func archivedData<Result>(withRootObject object: NSFetchRequest<Result>, requiringSecureCoding: Bool)
        throws -> Data
    {
        try FetchRequestCoding.archive(object.fetchDescription)
    }
}

extension NSKeyedUnarchiver {
    /// The fetch request in an archive. Its predicates may not be evaluated before `allowEvaluation()`; a store may
    /// fetch by them.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or one
    ///   of something else.
    public class func unarchivedObject<Result>(ofClass cls: NSFetchRequest<Result>.Type, from data: Data) throws
        -> NSFetchRequest<Result>?
    {
        NSFetchRequest<Result>(fetchDescription: try FetchRequestCoding.unarchive(data))
    }
}
