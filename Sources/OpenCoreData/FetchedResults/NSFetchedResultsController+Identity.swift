/// **Extension.** A controller of any result type.
///
/// Delegates get their controller as one of `any NSFetchRequestResult`. Outside Objective-C that is another object for
/// controllers made with other result types; `==`, `===` and hashes take both for one.
public protocol AnyFetchedResultsController: AnyObject {}

/// **Extension.** Whether both are the same controller, be it under another result type.
public func === (one: any AnyFetchedResultsController, other: any AnyFetchedResultsController) -> Bool {
    AnyFetchedResultsControllers.areSame(one, other)
}

/// **Extension.** Whether both are the same controller, be it under another result type.
public func === (one: (any AnyFetchedResultsController)?, other: (any AnyFetchedResultsController)?) -> Bool {
    AnyFetchedResultsControllers.areSame(one, other)
}

/// **Extension.** Whether both are different controllers, be it under other result types.
public func !== (one: any AnyFetchedResultsController, other: any AnyFetchedResultsController) -> Bool {
    !AnyFetchedResultsControllers.areSame(one, other)
}

/// **Extension.** Whether both are different controllers, be it under other result types.
public func !== (one: (any AnyFetchedResultsController)?, other: (any AnyFetchedResultsController)?) -> Bool {
    !AnyFetchedResultsControllers.areSame(one, other)
}

private enum AnyFetchedResultsControllers {
    static func areSame(_ one: (any AnyFetchedResultsController)?, _ other: (any AnyFetchedResultsController)?) -> Bool
    {
        (one as? any FetchedResultsOwner)?.results === (other as? any FetchedResultsOwner)?.results
    }
}

extension NSFetchedResultsController: AnyFetchedResultsController {}

extension NSFetchedResultsController: FetchedResultsOwner {
    final var delegated: NSFetchedResultsController<any NSFetchRequestResult> {
        if let own = self as? NSFetchedResultsController<any NSFetchRequestResult> { return own }
        if let erased { return erased }
        let new = NSFetchedResultsController<any NSFetchRequestResult>(results: results)
        erased = new
        return new
    }
}
