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
    /// For more objects, only the save checks the rules.
    private static let checkedCount = 1_000

    init(of objects: [NSManagedObject], in context: NSManagedObjectContext) {
        let list = { (objects: [NSManagedObject]) in
            objects.sorted { $0.objectID.key < $1.objectID.key }.prefix(Self.shownCount).map(ObjectLabel.title)
        }
        let chosenIDs = Set(objects.map(\.objectID))
        label = objects.count == 1 ? ObjectLabel.text(of: objects[0]) : Amount.text(objects.count, "object")
        ids = objects.map { ObjectIDText($0.objectID).short }
        chosen = objects.count == 1 ? [] : list(objects)
        for object in objects { context.delete(object) }
        context.processPendingChanges()
        let others = context.deletedObjects.filter { !chosenIDs.contains($0.objectID) }
        deletedCount = others.count
        deleted = list(Array(others))
        changedCount = context.updatedObjects.count
        changed = list(Array(context.updatedObjects))
        problems = Self.problems(deleting: objects + others, changing: Array(context.updatedObjects))
        context.rollback()
    }

    /// Why a save would refuse the deletion: the rules of all objects that it would delete or change.
    private static func problems(deleting deleted: [NSManagedObject], changing changed: [NSManagedObject]) -> [String] {
        var problems: [String] = []
        func check(_ objects: [NSManagedObject], _ validate: (NSManagedObject) throws -> Void) {
            for object in objects.prefix(checkedCount) where problems.count < shownCount {
                do { try validate(object) } catch { problems += ValidationMessages.named(error) }
            }
        }
        check(deleted) { try $0.validateForDelete() }
        check(changed) { try $0.validateForUpdate() }
        return problems
    }
}
