// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Errors for parts of fetch requests that a SQL store doesn't support: `NSCoreDataError` (134060) in
/// `NSCocoaErrorDomain`.
///
/// The description names the part. `userInfo` contains the entity's name and the part's text too.
package enum SQLQueryError {
    package static let code = NSCoreDataError

    /// The entity has no property for a key.
    static func unknownKey(_ key: String, in keyPath: String, of entity: SQLEntity) -> NSError {
        let known = entity.properties.keys.sorted().joined(separator: ", ")
        return error(
            "keypath \(keyPath) not found in entity \(entity.name). "
                + """
                There is no stored property \u{201c}\(key)\u{201d} in \(entity.name); it has \
                \(known.isEmpty ? "none" : known).\(NearestNames.suggestion(for: key, in: entity.properties.keys))
                """,
            entity: entity.name, part: keyPath)
    }

    /// The model has a property that the store doesn't contain.
    static func notStored(_ key: String, in keyPath: String, of entity: SQLEntity, because reason: String)
        -> NSError
    {
        error(
            """
            keypath \(keyPath) of entity \(entity.name) can\u{2019}t be used in a fetch: \u{201c}\(key)\u{201d} \
            \(reason).
            """,
            entity: entity.name, part: keyPath)
    }

    /// SQL can't express a part of a predicate.
    package static func unsupported(_ part: String, because reason: String) -> NSError {
        error("The SQL store can\u{2019}t use \(part): \(reason).", entity: nil, part: part)
    }

    /// SQL can't order rows by a sort key.
    static func unsupportedSortKey(_ key: String, because reason: String) -> NSError {
        CoreDataErrors.adding(
            [CoreDataErrors.requestPropertyKey: "sortDescriptors"],
            to: unsupported("the sort key \(key)", because: reason))
    }

    /// The store's configuration doesn't contain an entity.
    static func unknownEntity(_ name: String) -> NSError {
        error("The store contains no entity named \u{201c}\(name)\u{201d}.", entity: name, part: name)
    }

    private static func error(_ text: String, entity: String?, part: String) -> NSError {
        var info: [String: Any] = ["reason": text, "part": part]
        if let entity { info["entity"] = entity }
        return CoreDataErrors.error(code, message: text, reason: text, userInfo: info)
    }
}
