/// A reference back to an owner, which clears it in its `deinit`.
///
/// It does what `weak` does for a tree of descriptions without giving the owner a side table, which would make every
/// retain of an entity slow: contexts retain the entity for each object they make. A model that is shared by threads
/// is frozen and stays alive; a mutable one belongs to one thread.
final class BackReference<Target: AnyObject>: @unchecked Sendable {
    unowned(unsafe) var target: Target?

    init() {}
}
