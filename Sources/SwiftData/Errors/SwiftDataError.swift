// SPDX-License-Identifier: Apache-2.0

/// An error of SwiftData.
///
/// The constants are compared by kind: `catch SwiftDataError.unsupportedPredicate` and `error == .unknownSchema` ignore
/// the explanation, which gives the reason. ``localizedDescription`` and ``description`` contain it.
public struct SwiftDataError: Error, Hashable, Sendable {
    enum Kind: String, Sendable {
        case backwardMigration
        case configurationFileNameContainsInvalidCharacters
        case configurationFileNameTooLong
        case configurationSchemaNotFoundInContainerSchema
        case duplicateConfiguration
        case historyTokenExpired
        case includePendingChangesWithBatchSize
        case invalidTransactionFetchRequest
        case loadIssueModelContainer
        case missingModelContext
        case modelValidationFailure
        case sortingPendingChangesWithIdentifiers
        case unknownDataStoreSchema
        case unknownSchema
        case unsupportedKeyPath
        case unsupportedPredicate
        case unsupportedSortDescriptor
    }

    let kind: Kind
    /// The mistake, with the names of the entity, property, file or subexpression.
    let explanation: String?

    init(_ kind: Kind, _ explanation: String? = nil) {
        self.kind = kind
        self.explanation = explanation
    }

    /// Whether two errors are of one kind. Explanations are not compared.
    public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool { lhs.kind == rhs.kind }

    /// Hashes the kind of the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// Whether a thrown error is of a kind, for `catch` and `switch`.
    public static func ~= (lhs: SwiftDataError, rhs: any Error) -> Bool { (rhs as? SwiftDataError) == lhs }
}

extension SwiftDataError {
    // MARK: Configurations

    /// The name of a configuration's file contains characters that a file name can't have.
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    /// The name of a configuration's file is longer than file systems allow.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// The schema of a configuration has models that the container's schema doesn't have.
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    /// Two configurations of a container have the same name or the same file.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)

    // MARK: Containers

    /// A container can't be made: the schema is wrong, or the store can't be opened.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// A model was used with a container whose schema doesn't have its class.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// No known schema matches the schema of the store.
    public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)
    /// The store is newer than the schema: a migration plan leads forward only.
    public static let backwardMigration = SwiftDataError(.backwardMigration)

    // MARK: Contexts

    /// A model has no context.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// A model has values that its schema doesn't allow.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)

    // MARK: Fetching

    /// A key path doesn't lead to a property that is stored.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// A part of a predicate can't be translated.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// A sort descriptor can't be translated.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// A fetch in batches can't include unsaved changes.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// A sorted fetch of identifiers can't include unsaved changes.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)

    // MARK: History

    /// The transactions after a token were deleted.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A request for transactions can't be translated.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
}

extension SwiftDataError: CustomStringConvertible, LocalizedError {
    /// The kind of the error, and the explanation.
    public var description: String { explanation.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue }

    /// The explanation, or the kind of the error.
    public var errorDescription: String? { explanation ?? "The operation failed (\(kind.rawValue))." }
}
