// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Archives fetch requests in the format of Apple's class. An archive contains the name of the entity, but not its
/// model.
enum FetchRequestCoding {
    private static let embedded = EmbeddedArchive(key: "NSFetchRequestArchive", contents: "Fetch requests")

    /// Archives a request.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts without an archived form: blocks, and subclasses that
    ///   the program defines.
    static func archive(_ description: FetchDescription) throws -> Data {
        let archiver = try ModelArchiver(NSManagedObjectModel(), form: .coded)
        var description = description
        description.entityNameStorage = description.entityName
        description.entity = nil
        return archiver.writer.data(root: try archiver.add(description, owner: "the fetch request"))
    }

    /// Reads the request in an archive.
    ///
    /// Its predicates can't be evaluated before `allowEvaluation()`. A store can run them.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840).
    static func unarchive(_ data: Data) throws -> FetchDescription {
        let root = try KeyedArchiveReader(data).root()
        if case .plain(.data(let inner)) = try root.value(embedded.key) {
            return try description(KeyedArchiveReader(inner).root())
        }
        return try description(root)
    }

    private static func description(_ root: KeyedArchiveObject) throws -> FetchDescription {
        try ModelUnarchiver(request: root).fetchRequest(root).fetchDescription
    }

    // MARK: Parts of other archives

    static func encode(_ description: FetchDescription, with coder: NSCoder) {
        do {
            try embedded.encode(archive(description), with: coder)
        } catch {
            programmingError(
                """
                The fetch request can't be archived: \(ModelArchive.reason(error)). Use parts that have \
                an archived form.
                """
            )
        }
    }

    static func decode(from coder: NSCoder) -> FetchDescription? {
        embedded.decode(from: coder) { data in
            guard let data else { throw keyedArchiveError("it contains no fetch request") }
            return try unarchive(data)
        }
    }
}

// On Linux the unarchiver can't find a generic class by name. With these methods, sources for Apple's platforms compile
// unchanged.

extension NSKeyedArchiver {
    /// Archives a fetch request in the format of Apple's class.
    ///
    /// - Parameters:
    ///   - object: the request.
    ///   - requiringSecureCoding: ignored; the archive is always suitable for secure coding.
    /// - Returns: a keyed archive.
    /// - Throws: `CocoaError.coderInvalidValue` (4866) if a predicate or sort descriptor contains a block.
    public class func archivedData<Result>(withRootObject object: NSFetchRequest<Result>, requiringSecureCoding: Bool)
        throws -> Data
    {
        try FetchRequestCoding.archive(object.fetchDescription)
    }
}

extension NSKeyedUnarchiver {
    /// Reads the fetch request in an archive.
    ///
    /// Its predicates can't be evaluated in memory before `allowEvaluation()`. A store can run them.
    ///
    /// - Parameters:
    ///   - cls: the class of the request.
    ///   - data: a keyed archive.
    /// - Returns: a mutable request that knows its entity by name.
    /// - Throws: `CocoaError.coderReadCorrupt` (4864) or `propertyListReadCorrupt` (3840) for a damaged archive, or an
    ///   archive of another class.
    public class func unarchivedObject<Result>(ofClass cls: NSFetchRequest<Result>.Type, from data: Data) throws
        -> NSFetchRequest<Result>?
    {
        NSFetchRequest<Result>(fetchDescription: try FetchRequestCoding.unarchive(data))
    }
}
