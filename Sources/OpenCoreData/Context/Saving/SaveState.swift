/// How a context saves, and whether it does now.
///
/// Used on the context's queue alone.
final class SaveState {
    /// Resolves the conflicts of a save.
    private(set) var mergePolicy = NSMergePolicy.error
    /// Whether a save is under way, up to `NSManagedObjectContextDidSave`.
    private(set) var isActive = false
    /// Whether a save validates: a migration validates at its end, when all relationships are set.
    private(set) var validates = true
    /// Whether a relationship may have a destination of no context, or of another one. The next save checks this.
    private(set) var mayHaveDanglingReferences = false

    func setMergePolicy(_ policy: NSMergePolicy) { mergePolicy = policy }

    func setValidates(_ isValidating: Bool) { validates = isValidating }

    func begin() { isActive = true }

    /// Ends a save. Its observers may save again.
    func end() { isActive = false }

    // MARK: Dangling references

    /// Has the next save check the destinations of all changed relationships.
    func recordPossibleDanglingReference() { mayHaveDanglingReferences = true }

    /// Records that no relationship of the changes has a destination that can't be saved.
    func removePossibleDanglingReferences() { mayHaveDanglingReferences = false }
}
