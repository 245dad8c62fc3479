// SPDX-License-Identifier: Apache-2.0

/// The problems for which a snapshot can't be written into an object.
///
/// **Extension.** The messages contain no values, so that a server may send them to the client of the snapshot.
public struct SnapshotError: Error, Hashable, Sendable {
    /// The kinds of problems.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The text is not JSON, or not a JSON object.
        case notJSON
        /// The key may not be written.
        case unknownKey
        /// The value has another type than the property, or is out of its range.
        case wrongType
        /// The value breaks a rule of the model or of the class.
        case invalidValue
        /// The ID names no usable object: the object doesn't exist, it belongs to another entity or store, or the
        /// caller refuses it.
        case unknownObject
        /// The object has been changed since the version in the snapshot.
        case outdated
    }

    /// One problem.
    public struct Problem: Hashable, Sendable, Codable {
        /// The place, such as `tags[2].name`; empty for the snapshot itself.
        public let keyPath: String
        /// The kind of the problem, by which a program can decide.
        public let kind: Kind
        /// A sentence for people.
        public let message: String
    }

    /// The problems, in the order of the key paths. There is at least one.
    public let problems: [Problem]

    init(_ keyPath: String, _ kind: Kind, _ message: String) {
        problems = [Problem(keyPath: keyPath, kind: kind, message: message)]
    }

    init(_ problems: [Problem]) { self.problems = problems }

    /// The problems that a save has found: the keys and rules in its validation errors, and the keys of values that the
    /// store can't have, such as a text with the character NUL on a PostgreSQL server.
    ///
    /// - Parameter error: an error of a save; nil for one that isn't about a value.
    public init?(validation error: any Error) {
        let error = error as NSError
        guard error.domain == NSCocoaErrorDomain else { return nil }
        let errors =
            error.code == NSValidationMultipleErrorsError
            ? error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [] : [error]
        guard !errors.isEmpty, errors.allSatisfy(Self.isAboutValue) else { return nil }
        problems = errors.map {
            Problem(
                keyPath: $0.userInfo[NSValidationKeyErrorKey] as? String ?? "", kind: .invalidValue,
                message: SnapshotError.rule($0))
        }.sorted { $0.keyPath < $1.keyPath }
    }

    /// Whether an error of a save is about the value of a key: a rule is broken, or the store can't have the value.
    private static func isAboutValue(_ error: NSError) -> Bool {
        switch error.code {
        case NSManagedObjectValidationError...1690: true
        case NSPersistentStoreSaveError: error.userInfo[NSValidationKeyErrorKey] != nil
        default: false
        }
    }

    /// The broken rule in words, without the value. A validation predicate may have the model's own words.
    static func rule(_ error: NSError) -> String {
        switch error.code {
        case NSValidationMissingMandatoryPropertyError: "A value is required."
        case NSValidationRelationshipLacksMinimumCountError: "The relationship has too few objects."
        case NSValidationRelationshipExceedsMaximumCountError: "The relationship has too many objects."
        case NSValidationRelationshipDeniedDeleteError: "The object is in use."
        case NSValidationNumberTooLargeError: "The number is too large."
        case NSValidationNumberTooSmallError: "The number is too small."
        case NSValidationDateTooLateError: "The date is too late."
        case NSValidationDateTooSoonError: "The date is too early."
        case NSValidationInvalidDateError: "The date is not valid."
        case NSValidationStringTooLongError: "The text is too long."
        case NSValidationStringTooShortError: "The text is too short."
        case NSValidationStringPatternMatchingError: "The text has not the required form."
        case NSValidationInvalidURIError: "The address is not valid."
        case NSManagedObjectValidationError where error.userInfo[NSValidationPredicateErrorKey] != nil:
            error.localizedDescription
        case NSPersistentStoreSaveError: error.localizedFailureReason ?? "The store can\u{2019}t have the value."
        default: "The value breaks a rule of its property (error \(error.code))."
        }
    }
}

extension SnapshotError: LocalizedError, CustomStringConvertible {
    /// The problems, a sentence for each.
    public var description: String {
        problems.map { $0.keyPath.isEmpty ? $0.message : "\($0.keyPath): \($0.message)" }.joined(separator: " ")
    }

    /// The ``description``.
    public var errorDescription: String? { description }
}
