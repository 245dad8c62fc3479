// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The errors of migrations with a mapping model.
enum MigrationErrors {
    /// `NSMigrationError` (134110) for a mapping model that doesn't fit the models.
    static func invalidMapping(_ reason: String, _ userInfo: [String: Any] = [:]) -> NSError {
        CoreDataErrors.error(
            NSMigrationError, "The mapping model can\u{2019}t be used.", reason: reason,
            suggestion: "Correct the mapping model, or make it again from the two models.", userInfo: userInfo)
    }

    /// `NSMigrationError` (134110) for two mapping models that fit the same models.
    static func ambiguous(
        _ first: MigrationRoute.KnownMapping, _ other: MigrationRoute.KnownMapping, _ userInfo: [String: Any]
    ) -> NSError {
        CoreDataErrors.error(
            NSMigrationError, "The mapping model can\u{2019}t be chosen.",
            reason: """
                Two different mapping models fit the models: \(first.url?.path ?? first.name) and \
                \(other.url?.path ?? other.name).
                """,
            suggestion: "Remove one of them, or migrate the store by an NSMigrationManager with the other one.",
            userInfo: userInfo)
    }

    /// `NSMigrationManagerSourceStoreError` (134150) or `NSMigrationManagerDestinationStoreError` (134160) for a store
    /// that can't be opened.
    static func store(_ code: Int, _ store: ClosedStore, _ error: any Error) -> NSError {
        let role = code == NSMigrationManagerSourceStoreError ? "old" : "new"
        return CoreDataErrors.error(
            code, "The \(role) store of the migration, \(store.url.storeText), can\u{2019}t be opened.",
            reason: CoreDataErrors.reason(of: error),
            userInfo: [NSUnderlyingErrorKey: error as NSError].merging(store.errorInfo) { own, _ in own })
    }

    /// `NSEntityMigrationPolicyError` (134170).
    static func policy(_ mapping: NSEntityMapping, _ reason: String, suggestion: String) -> NSError {
        CoreDataErrors.error(
            NSEntityMigrationPolicyError,
            "The entity mapping \u{201c}\(mapping.name ?? "")\u{201d} can\u{2019}t be executed.", reason: reason,
            suggestion: suggestion,
            userInfo: [
                NSMigrationEntityMappingKey: mapping,
                NSMigrationEntityPolicyKey: mapping.entityMigrationPolicyClassName ?? "",
            ])
    }

    /// `NSMigrationError` (134110) for a value that a property of the new model can't have.
    static func unacceptable(
        _ value: Any, _ slot: PropertySlot, _ mapping: NSEntityMapping, _ reason: String,
        of source: NSManagedObject? = nil
    ) -> NSError {
        let entity = mapping.destinationEntityName ?? ""
        let origin = source.map { " It is a value of \(InferredRelationships.text($0)) in the old store." } ?? ""
        return CoreDataErrors.error(
            NSMigrationError, "\(entity).\(slot.name) can\u{2019}t have the value \(Self.short(value)).",
            reason: reason + origin,
            suggestion: "Correct the mapping of \(slot.name) in \u{201c}\(mapping.name ?? "")\u{201d}.",
            userInfo: [
                "entity": entity, slot.relationship == nil ? "attribute" : "relationship": slot.name,
                NSMigrationEntityMappingKey: mapping,
            ])
    }

    private static func short(_ value: Any) -> String {
        let text = String(describing: value)
        return text.count > 80 ? "\(text.prefix(80))…" : text
    }
}
