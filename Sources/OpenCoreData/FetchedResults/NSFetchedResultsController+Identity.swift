// SPDX-License-Identifier: Apache-2.0

/// **Extension.** A controller of any result type.
///
/// The methods of a delegate get a controller of `any NSFetchRequestResult`. Without Objective-C this controller is a
/// different object from the controller that the program created with another result type. `==`, `===` and hashes treat
/// both as one.
public protocol AnyFetchedResultsController: AnyObject {}

/// **Extension.** Whether both are the same controller, possibly under different result types.
///
/// - Parameters:
///   - one: a controller.
///   - other: another controller.
public func === (one: any AnyFetchedResultsController, other: any AnyFetchedResultsController) -> Bool {
    AnyFetchedResultsControllers.areIdentical(one, other)
}

/// **Extension.** Whether both are the same controller, possibly under different result types.
///
/// - Parameters:
///   - one: a controller, or nil.
///   - other: another controller, or nil.
public func === (one: (any AnyFetchedResultsController)?, other: (any AnyFetchedResultsController)?) -> Bool {
    AnyFetchedResultsControllers.areIdentical(one, other)
}

/// **Extension.** Whether both are different controllers, regardless of their result types.
///
/// - Parameters:
///   - one: a controller.
///   - other: another controller.
public func !== (one: any AnyFetchedResultsController, other: any AnyFetchedResultsController) -> Bool {
    !AnyFetchedResultsControllers.areIdentical(one, other)
}

/// **Extension.** Whether both are different controllers, regardless of their result types.
///
/// - Parameters:
///   - one: a controller, or nil.
///   - other: another controller, or nil.
public func !== (one: (any AnyFetchedResultsController)?, other: (any AnyFetchedResultsController)?) -> Bool {
    !AnyFetchedResultsControllers.areIdentical(one, other)
}

private enum AnyFetchedResultsControllers {
    static func areIdentical(
        _ one: (any AnyFetchedResultsController)?, _ other: (any AnyFetchedResultsController)?
    ) -> Bool {
        (one as? any FetchedResultsOwner)?.results === (other as? any FetchedResultsOwner)?.results
    }
}

extension NSFetchedResultsController: AnyFetchedResultsController {}

/// The application's controller without its result type: the interface for `FetchedResults`, and for the controller
/// that delegates get.
protocol FetchedResultsOwner: AnyObject {
    var results: FetchedResults { get }
    /// The controller for the delegate's methods.
    var delegateArgument: NSFetchedResultsController<any NSFetchRequestResult> { get }
    /// Whether the controller is of a subclass, which may override methods.
    var isSubclassed: Bool { get }

    var sectionNameKeyPath: String? { get }
    var cacheName: String? { get }
    func performFetch() throws
    var untypedFetchedObjects: [Any]? { get }
    func untypedObject(at indexPath: IndexPath) -> Any
    func indexPath(forUntypedObject object: Any) -> IndexPath?
    var sections: [any NSFetchedResultsSectionInfo]? { get }
    var sectionIndexTitles: [String] { get }
    func sectionIndexTitle(forSectionName sectionName: String) -> String?
    func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int
}

extension NSFetchedResultsController: FetchedResultsOwner {
    final var delegateArgument: NSFetchedResultsController<any NSFetchRequestResult> {
        if let controller = self as? NSFetchedResultsController<any NSFetchRequestResult> { return controller }
        if let typeErasedController { return typeErasedController }
        let new = NSFetchedResultsController<any NSFetchRequestResult>(results: results)
        typeErasedController = new
        return new
    }

    final var isSubclassed: Bool { type(of: self) != NSFetchedResultsController<ResultType>.self }
    final var untypedFetchedObjects: [Any]? { fetchedObjects }
    final func untypedObject(at indexPath: IndexPath) -> Any { object(at: indexPath) }
    final func indexPath(forUntypedObject object: Any) -> IndexPath? {
        (object as? ResultType).flatMap { indexPath(forObject: $0) }
    }
}
