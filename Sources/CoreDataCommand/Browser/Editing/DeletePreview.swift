// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The effects of a deletion: the objects that would be deleted or changed with it, and the reasons against it.
struct DeletePreview {
    /// The objects that were chosen, by their short IDs.
    let ids: [String]
    /// The label of one object, or the number of several.
    let label: String
    let chosen: [String]
    let deleted: [String]
    let deletedCount: Int
    let changed: [String]
    let changedCount: Int
    let problems: [String]

    private static let shownCount = 100

    init(of objects: [NSManagedObject], in context: NSManagedObjectContext) {
        let title: (NSManagedObject) -> String = {
            "\($0.entity.name ?? "") p\($0.objectID.key): \(ObjectLabel.text(of: $0))"
        }
        let list = { (objects: [NSManagedObject]) in
            objects.sorted { $0.objectID.key < $1.objectID.key }.prefix(Self.shownCount).map(title)
        }
        let chosenIDs = Set(objects.map(\.objectID))
        label = objects.count == 1 ? ObjectLabel.text(of: objects[0]) : Amount.text(objects.count, "object")
        ids = objects.map { ObjectIDText($0.objectID).short }
        chosen = objects.count == 1 ? [] : list(objects)
        var problems: [String] = []
        for object in objects where problems.count < Self.shownCount {
            do {
                try object.validateForDelete()
            } catch {
                let name = objects.count == 1 ? "" : title(object) + ": "
                problems += ValidationMessages.of(error).map { name + $0 }
            }
        }
        self.problems = problems
        for object in objects { context.delete(object) }
        context.processPendingChanges()
        let others = context.deletedObjects.filter { !chosenIDs.contains($0.objectID) }
        deletedCount = others.count
        deleted = list(Array(others))
        changedCount = context.updatedObjects.count
        changed = list(Array(context.updatedObjects))
        context.rollback()
    }
}
