/// Code of a program that is called in the middle of the library's.
enum Callback: String, CaseIterable {
    case awakeFromFetch, awakeFromInsert, awakeFromSnapshotEvents, willSave, didSave, prepareForDeletion
    case willTurnIntoFault, didTurnIntoFault, validateValue, validateForInsert, validateForUpdate, validateForDelete
    case encoding, decoding, equality, valueEnd, initializer, undefinedKey, inaccessibleFault
    case comparator, mergePolicy
    case objectsDidChange, contextWillSave, contextDidSave, undoCheckpoint, controllerWillChange, controllerChange
    case controllerDidChange
}

/// The action of the program within a callback.
enum Action: String, CaseIterable {
    case refresh, refreshMerging, refreshOwner, refreshAll, reset, rollback, undo, redo, delete, deleteOther, setText
    case setRelationship, clearRelationship, addMember, removeMember, replaceMembers, insert, save, fetch, process
    case obtainIDs, merge, externalChange, removeUndoManager, childSave, readAll
}

enum RelationshipKind: String, CaseIterable {
    case oneToOne, manyToOne, oneToMany, orderedOneToMany, manyToMany, orderedManyToMany, toOneAlone, toManyAlone
    case orderedAlone

    var isToOne: Bool { [.oneToOne, .manyToOne, .toOneAlone].contains(self) }
    var isOrdered: Bool { [.orderedOneToMany, .orderedManyToMany, .orderedAlone].contains(self) }
    var hasInverse: Bool { ![.toOneAlone, .toManyAlone, .orderedAlone].contains(self) }
}

/// At which call the program acts.
enum Moment: String, CaseIterable {
    case first, second
    /// At each call that isn't one within the action.
    case each
}

/// One combination.
struct Case: CustomStringConvertible {
    let callback: Callback
    let action: Action
    let relationship: RelationshipKind
    let moment: Moment

    static let all = Callback.allCases.flatMap { callback in
        Action.allCases.flatMap { action in
            RelationshipKind.allCases.flatMap { relationship in
                Moment.allCases.map { Case(callback: callback, action: action, relationship: relationship, moment: $0) }
            }
        }
    }

    var description: String { "\(callback) \(action) \(relationship) \(moment)" }
}
