// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The incompatibility in sentences, and as errors.
extension StoreIncompatibility {
    /// The number of differences in a message. `userInfo` has all.
    private static let messageLimit = 10

    /// The differences: the changes of entities and properties, or the entities alone if their old form isn't known.
    package var differenceText: String {
        guard differences.isEmpty else {
            let shown = differences.prefix(Self.messageLimit).map(\.text).joined(separator: "; ")
            let rest = differences.count - Self.messageLimit
            return "What differs: \(shown)\(rest > 0 ? "; and \(rest) more" : "")."
        }
        func sentence(_ start: String, _ names: [String]) -> String? {
            names.isEmpty ? nil : "\(start): \(names.joined(separator: ", "))."
        }
        return [
            sentence("Entities that differ", changedEntities), sentence("Entities only in the store", removedEntities),
            sentence("Entities only in the model", addedEntities),
        ].compactMap { $0 }.joined(separator: " ")
    }

    /// Which version made the store, or which is the nearest.
    package var originText: String {
        if let sourceVersion { return "The store was made by \(sourceVersion.text)." }
        let origin = sourceModel == nil ? nil : "The model that made the store is in it."
        guard let nearestVersion else { return origin ?? "No known model has an entity of the store." }
        let names = entitiesUnlikeNearest.joined(separator: ", ")
        return (origin.map { "\($0) It is no known version." } ?? "No known version made the store.")
            + " The nearest is \(nearestVersion.text); they differ in \(names)."
    }

    /// The steps that would let the store be opened.
    ///
    /// - Parameter isReadOnly: whether the options say that the store is read-only.
    package func remedyText(isReadOnly: Bool = false) -> String {
        guard sourceModel != nil else {
            return """
                Open the store with the model that made it. To migrate it, add that version to the model\u{2019}s \
                .xcdatamodeld, so that the program has it.
                """
        }
        if isStoreNewer {
            return """
                The store is of the current version, and the model is an older one: open the store with the current \
                version. A migration back would lose what the older version doesn\u{2019}t have.
                """
        }
        guard let route else {
            return "The change can\u{2019}t be inferred. " + inferenceText
                + " Otherwise a mapping model, or a version in between, bridges the gap."
        }
        let place = isReadOnly ? "A read-only store isn\u{2019}t migrated: copy it, and open the copy. " : ""
        if route.isLightweight {
            return place + lossText + """
                The change can be inferred: set NSMigratePersistentStoresAutomaticallyOption and \
                NSInferMappingModelAutomaticallyOption.
                """
        }
        if route.steps.count == 1, case .mappingModel(let mapping) = route.steps[0].way {
            return place + """
                The mapping model \(mapping.name) is for this change: set \
                NSMigratePersistentStoresAutomaticallyOption.
                """
        }
        return place + "The store can be migrated in \(route.steps.count) steps: \(route.text())."
    }

    /// The objects that the inferred migration deletes. If the migration would delete all objects, the model probably
    /// belongs to another store.
    private var lossText: String {
        guard let route, let first = MigrationLoss(of: route).objectsText else { return "" }
        return first + " "
    }

    /// The problems of an inferred mapping model with their remedies.
    var inferenceText: String {
        let shown = inferenceProblems.prefix(Self.messageLimit).map(\.text).joined(separator: " ")
        let rest = inferenceProblems.count - Self.messageLimit
        return shown + (rest > 0 ? " And \(rest) more." : "")
    }

    // MARK: Errors

    /// The entities, differences and versions, for the `userInfo` of an error.
    package var userInfo: [String: Any] {
        var userInfo: [String: Any] = [
            "entities": (changedEntities + removedEntities + addedEntities).sortedBytewise(),
            "differences": differences.map(\.text),
        ]
        userInfo["sourceVersion"] = sourceVersion?.name
        userInfo["nearestVersion"] = nearestVersion?.name
        return userInfo
    }

    /// `NSPersistentStoreIncompatibleVersionHashError` (134100): the store isn't of the model.
    package func incompatibleVersionError(path: String, metadata: [String: Any], isReadOnly: Bool) -> NSError {
        error(
            NSPersistentStoreIncompatibleVersionHashError, path: path,
            "The model used to open the store is incompatible with the one used to create the store",
            details: [differenceText, originText], suggestion: remedyText(isReadOnly: isReadOnly),
            userInfo: ["metadata": metadata])
    }

    /// `NSMigrationMissingSourceModelError` (134130): no model is known that made the store.
    package func missingSourceError(path: String, metadata: [String: Any]) -> NSError {
        error(
            NSMigrationMissingSourceModelError, path: path, "Can't find model for source store",
            details: [originText, differenceText],
            suggestion: sourceModel == nil
                ? remedyText()
                : """
                No configuration of that model has the entities of the store and no others. Give the model such a \
                configuration.
                """, userInfo: ["metadata": metadata])
    }

    /// `NSMigrationMissingMappingModelError` (134140): there is no mapping model, and the options don't ask for an
    /// inferred one.
    package func missingMappingError(path: String, from source: NSManagedObjectModel, to model: NSManagedObjectModel)
        -> NSError
    {
        error(
            NSMigrationMissingMappingModelError, path: path, "Can't find mapping model for migration",
            details: [differenceText, originText],
            suggestion: inferenceProblems.isEmpty
                ? lossText + "The change can be inferred: set NSInferMappingModelAutomaticallyOption." : remedyText(),
            userInfo: ["sourceModel": source, "destinationModel": model])
    }

    /// - Parameter reason: Apple's sentence, which is also the value of the key `reason`.
    private func error(
        _ code: Int, path: String, _ reason: String, details: [String], suggestion: String, userInfo: [String: Any]
    ) -> NSError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return CoreDataErrors.error(
            code, "The store \u{201c}\(name)\u{201d} couldn\u{2019}t be opened.",
            reason: ([reason + "."] + details).joined(separator: " "), suggestion: suggestion,
            userInfo: self.userInfo.merging([NSFilePathErrorKey: path, "reason": reason]) { $1 }
                .merging(userInfo) { $1 })
    }
}

extension MigrationRoute {
    /// The steps: "to version “Shop 2” of Shop.momd (inferred), to the model (ShopV2toV3.cdm)".
    ///
    /// - Parameter destination: the name of the destination.
    func text(destination: String = "the model") -> String {
        steps.map { step in
            let way: String =
                switch step.way {
                case .inferred: "inferred"
                case .mappingModel(let mapping): mapping.name
                }
            return "to \(step.version?.text ?? destination) (\(way))"
        }.joined(separator: ", ")
    }
}
