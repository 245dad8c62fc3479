// SPDX-License-Identifier: Apache-2.0

/// Foundation on Linux has no observers that are called by a selector.
extension NotificationCenter {
    /// Adds an observer whose method is called for each notification.
    ///
    /// On Linux the selector must contain a call of the method: the build plugin makes such a selector from
    /// `#selector`. Another selector stops the program. The method is called on the thread that posts. The centre does
    /// not retain the observer, and no longer calls it once it is freed.
    ///
    /// - Parameters:
    ///   - observer: the object whose method is called.
    ///   - aSelector: the method, with the notification as its argument or without arguments.
    ///   - aName: the name of the notifications; nil for all.
    ///   - anObject: the sender of the notifications; nil for all.
    public func addObserver(
        _ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?, object anObject: Any?
    ) {
        guard let method = aSelector.method else {
            programmingError(
                """
                NotificationCenter can't call \(aSelector) of \(type(of: observer)): on Linux a name is not enough. \
                Put the file with #selector into a folder that the target excludes, so that CoreDataModelPlugin \
                compiles it, or use addObserver(forName:object:queue:using:).
                """)
        }
        let observer = observer as AnyObject
        let key = ObjectIdentifier(observer)
        let number = SelectorObservers.makeNumber()
        let reference = WeakObserver(observer)
        let token = addObserver(forName: aName, object: anObject, queue: nil) { [weak self] notification in
            guard let observer = reference.object else {
                // Freed without having been removed.
                if let self { SelectorObservers.remove(key: key, number: number, from: self) }
                return
            }
            method(observer, notification)
        }
        SelectorObservers.add(
            SelectorObservers.Registration(
                number: number, center: self, observer: observer, token: token, name: aName,
                object: anObject.map { $0 as AnyObject }), key: key)
    }

    /// Removes an observer, whether it was added with a selector or with a block.
    ///
    /// - Parameter observer: the observer, or the token that `addObserver(forName:object:queue:using:)` returned.
    public func removeObserver(_ observer: AnyObject) {
        SelectorObservers.removeAll(of: observer, from: self) { _ in true }
        removeObserver(observer as Any)
    }

    /// Removes an observer of some notifications, whether it was added with a selector or with a block.
    ///
    /// - Parameters:
    ///   - observer: the observer, or the token that `addObserver(forName:object:queue:using:)` returned.
    ///   - aName: the name of the notifications; nil for all.
    ///   - anObject: the sender of the notifications; nil for all.
    public func removeObserver(_ observer: AnyObject, name aName: NSNotification.Name?, object anObject: Any?) {
        let sender = anObject.map { $0 as AnyObject }
        SelectorObservers.removeAll(of: observer, from: self) { registration in
            (aName == nil || registration.name == aName) && (sender == nil || registration.object === sender)
        }
        removeObserver(observer as Any, name: aName, object: anObject)
    }
}

/// A weak reference to an observer. The thread that posts calls the observer, as on Apple's platforms.
private final class WeakObserver: @unchecked Sendable {
    weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}

/// The observers that were added with selectors. One lock owns the table.
private enum SelectorObservers {
    struct Registration: @unchecked Sendable {
        let number: Int
        weak var center: NotificationCenter?
        weak var observer: AnyObject?
        let token: any NSObjectProtocol
        let name: NSNotification.Name?
        /// Retained, as the centre retains the sender of an observer with a block.
        let object: AnyObject?
    }

    private struct State {
        var registrations: [ObjectIdentifier: [Registration]] = [:]
        var lastNumber = 0
    }

    private static let state = Locked(State())

    static func makeNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    static func add(_ registration: Registration, key: ObjectIdentifier) {
        // A freed observer may have had the address of this one.
        let stale = state.withLock { state in
            let all = state.registrations[key] ?? []
            state.registrations[key] = all.filter { $0.observer != nil } + [registration]
            return all.filter { $0.observer == nil }
        }
        for old in stale { old.center?.removeObserver(old.token as Any) }
    }

    static func remove(key: ObjectIdentifier, number: Int, from center: NotificationCenter) {
        remove(key, from: center) { $0.number == number }
    }

    static func removeAll(
        of observer: AnyObject, from center: NotificationCenter, where isRemoved: (Registration) -> Bool
    ) {
        remove(ObjectIdentifier(observer), from: center, where: isRemoved)
    }

    /// The centre is called without the lock, since removing an observer may free objects.
    private static func remove(
        _ key: ObjectIdentifier, from center: NotificationCenter, where isRemoved: (Registration) -> Bool
    ) {
        let all = state.withLock { $0.registrations[key] ?? [] }
        let removed = all.filter { $0.center === center && isRemoved($0) }
        guard !removed.isEmpty else { return }
        let numbers = Set(removed.map(\.number))
        state.withLock { state in
            let left = (state.registrations[key] ?? []).filter { !numbers.contains($0.number) }
            state.registrations[key] = left.isEmpty ? nil : left
        }
        for registration in removed { center.removeObserver(registration.token as Any) }
    }
}
