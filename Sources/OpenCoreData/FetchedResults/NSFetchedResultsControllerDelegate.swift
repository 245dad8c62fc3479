// SPDX-License-Identifier: Apache-2.0

/// Receives the changes of an `NSFetchedResultsController`.
///
/// All methods are optional. For one change event of the context they are called on its queue in this order:
/// `controllerWillChangeContent(_:)` while the controller still has the old results; deleted objects; deleted and
/// inserted sections; inserted, moved and updated objects; `controllerDidChangeContent(_:)`. Old index paths refer to
/// the results before the event, new index paths to the results after it, as table views expect inside one batch of
/// updates.
///
/// After `reset()` of the context no method is called: call `performFetch()`, and show the results anew.
///
/// The controller argument is `===` and equal to the controller whose delegate this is.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Called before the results change.
    ///
    /// ```swift
    /// final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    ///     private var former: [Any] = []
    ///
    ///     func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    ///         former = controller.fetchedObjects ?? []
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter controller: the controller.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Called after the results have changed and all other methods were called.
    ///
    /// ```swift
    /// final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    ///     func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    ///         print(controller.fetchedObjects?.count ?? 0, "songs")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter controller: the controller.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Called for an object that was inserted, deleted, moved or updated.
    ///
    /// Not called for the objects behind it. Their index paths shift like the indexes of array elements.
    ///
    /// ```swift
    /// final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    ///     func controller(
    ///         _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    ///         at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ///     ) {
    ///         switch type {
    ///         case .insert: print("new at", newIndexPath ?? [])
    ///         case .delete: print("gone from", indexPath ?? [])
    ///         case .move: print("moved from", indexPath ?? [], "to", newIndexPath ?? [])
    ///         case .update: print("changed at", indexPath ?? [])
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - anObject: the object.
    ///   - indexPath: the old index path; nil for an inserted object.
    ///   - type: the change. For an object that was moved and updated it is `.move`, and the method is called once.
    ///   - newIndexPath: the new index path; nil for a deleted object.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called for a section that was inserted or deleted. The method for objects is called for each of its objects too.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - sectionInfo: the section; a deleted section has its name and no objects.
    ///   - sectionIndex: the index of the section; for a deleted section its old index.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType)

    /// Called once for all changes, by object ID. Only for a controller without a section name key path.
    ///
    /// If a delegate implements this method, no other method is called for such a controller. A moved or updated object
    /// is a removal and an insertion that are associated with each other.
    ///
    /// ```swift
    /// final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    ///     private var shown: [NSManagedObjectID] = []
    ///
    ///     func controller(
    ///         _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    ///         didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ///     ) {
    ///         shown = shown.applying(diff) ?? []
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - diff: the difference between the old and the new results.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// Returns the title of a section in the section index. By default the first letter of its name, as a capital.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - sectionName: the name of the section.
    /// - Returns: nil if the section has no title.
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

    /// Makes the controller call the other methods.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        // Swift can't tell whether a class implements a protocol method. If this default runs, it does not.
        controller.results.recordMissingDifferenceMethod()
    }

    /// Returns the first letter of the name, as a capital.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        FetchedResults.defaultIndexTitle(forSectionName: sectionName)
    }
}

/// The change of an object or a section of fetched results.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// The object belongs to the results now, or the section has its first object.
    case insert = 1
    /// The object was deleted or no longer matches the request, or the section has no objects left.
    case delete = 2
    /// The object was changed and has another position among the results, or is in another section.
    case move = 3
    /// The object was changed and has the same position among the results.
    case update = 4
}
