/// Is told how the content of an `NSFetchedResultsController` changes.
///
/// All methods are optional. For one event of the context they are called on its queue in this order:
/// `controllerWillChangeContent(_:)` while the controller still has the old content, then deleted and inserted
/// sections, then deleted, inserted, moved and updated objects, and `controllerDidChangeContent(_:)`. Index paths of
/// what was are those of the content before the event, index paths of what is those of the content after it, as tables
/// want them inside of one batch of updates.
///
/// The controller that the methods get is `===` and equal to the one that the delegate was given to.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// The content is about to change.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The content has changed, and everything was told.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// An object was inserted, deleted, moved or updated.
    ///
    /// Only the object itself is told; those behind it shift as elements of an array do.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - anObject: the object.
    ///   - indexPath: where it was; nil for an inserted object.
    ///   - type: what happened. A moved object counts as updated too and is told once.
    ///   - newIndexPath: where it is; nil for a deleted object.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// A section was inserted or deleted. Its objects are told too, each by itself.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - sectionInfo: the section; a deleted one as it was.
    ///   - sectionIndex: where it is, or was if it is deleted.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType)

    /// The content has changed: all changes at once, by object ID. Only for a controller without section name key path;
    /// a delegate that has this method gets no other call for such a controller.
    ///
    /// An object that has moved is a removal and an insertion that are associated with each other; so is one that has
    /// changed where it stood.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in the index of sections; nil for none. By default the first letter of its name, as a
    /// capital.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {}

    /// Leaves the changes to the other methods.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        // Whether a class has a method of its own can't be asked: this default tells that it has not.
        controller.results.delegateTakesNoDifference()
    }

    /// The first letter of the name, as a capital.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        FetchedResults.initial(of: sectionName)
    }
}
