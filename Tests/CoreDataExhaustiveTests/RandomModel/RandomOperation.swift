/// One step of a random run. It consists of numbers and names, so that it can be printed, repeated and removed.
///
/// A step that makes no sense (any more, as others were left out) does nothing. `form` chooses among the ways in which
/// the API can do it.
indirect enum RandomOperation: CustomStringConvertible {
    case insert(Int, RandomSchema.Entity, form: Int)
    case set(Int, String, ReferenceValue, form: Int)
    case relate(Int, String, Int?, form: Int)
    case add(Int, String, Int, form: Int)
    case remove(Int, String, Int, form: Int)
    case place(Int, String, Int, at: Int, form: Int)
    case move(Int, String, from: Int, to: Int, form: Int)
    case replace(Int, String, [Int], form: Int)
    case delete(Int)
    case endEvent(form: Int)
    case compare(form: Int)
    case fetch(RandomFetch)
    case save, rollback, reset, undo, redo
    case refresh(Int, merging: Bool)
    case refreshAll, release
    case obtainIDs
    case openChild, closeChild
    case automaticMerging(Bool)
    case otherContext([RandomOperation], ConflictKind, isForeign: Bool)

    /// The ways to treat the changes of another context.
    enum ConflictKind: CaseIterable {
        /// They are merged before anything is saved.
        case merged
        /// The save has the conflict: an error, or the policy resolves it.
        case refused, objectTrumps, storeTrumps, overwritten
    }

    var description: String {
        switch self {
        case .insert(let number, let entity, let form): "insert \(entity.rawValue) \(number) (\(form))"
        case .set(let number, let key, let value, let form): "\(number).\(key) = \(value) (\(form))"
        case .relate(let number, let key, let other, let form):
            "\(number).\(key) = \(other.map { "\($0)" } ?? "nil") (\(form))"
        case .add(let number, let key, let other, let form): "\(number).\(key) add \(other) (\(form))"
        case .remove(let number, let key, let other, let form): "\(number).\(key) remove \(other) (\(form))"
        case .place(let number, let key, let other, let position, let form):
            "\(number).\(key) insert \(other) at \(position) (\(form))"
        case .move(let number, let key, let from, let to, let form): "\(number).\(key) move \(from) to \(to) (\(form))"
        case .replace(let number, let key, let others, let form): "\(number).\(key) = \(others) (\(form))"
        case .delete(let number): "delete \(number)"
        case .endEvent(let form): "end of event (\(form))"
        case .compare(let form): "compare (\(form))"
        case .fetch(let fetch): "fetch \(fetch)"
        case .save: "save"
        case .rollback: "roll back"
        case .reset: "reset"
        case .undo: "undo"
        case .redo: "redo"
        case .refresh(let number, let merging): "refresh \(number)\(merging ? ", keeping changes" : "")"
        case .refreshAll: "refresh all"
        case .release: "let objects go"
        case .obtainIDs: "obtain permanent IDs"
        case .openChild: "open a child"
        case .closeChild: "close the child"
        case .automaticMerging(let isOn): "merge automatically: \(isOn)"
        case .otherContext(let operations, let conflictKind, let isForeign):
            """
            another context\(isForeign ? " of another coordinator" : ""), its changes \(conflictKind): \
            [\(operations.map(\.description).joined(separator: "; "))]
            """
        }
    }
}
