// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// **Extension.** Returns a stream of the object's changes: one element for each change event of its context that
    /// changes it, after the context's `NSManagedObjectContextObjectsDidChange`. Events after which all values are the
    /// same are omitted.
    ///
    /// The values are compared, so faults are fired: now, and when the object is refreshed. A to-many relationship
    /// counts as changed if its members differ, or if its members were read before and a refresh has discarded them.
    ///
    /// The stream ends when the object or its context is deallocated, when the object's deletion is saved, and when its
    /// context is reset. It retains neither of them. Each call returns another stream, for one reader. Call it on the
    /// context's queue; the elements can be used in any task.
    ///
    /// - Parameter bufferingPolicy: which changes wait for a slow reader; by default all.
    /// - Returns: a stream; for an object without a context a stream that has ended.
    public final func changeStream(
        bufferingPolicy: AsyncStream<ManagedObjectChange>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<ManagedObjectChange> {
        observed(bufferingPolicy) { continuation in { _, change in continuation.yield(change) } }
    }

    /// **Extension.** Returns a stream of a property's values: the current value, and the new value after each change
    /// event that changes it.
    ///
    /// Like ``changeStream(bufferingPolicy:)``, for one property of an object of any class.
    ///
    /// - Parameters:
    ///   - key: the property's name, or another key or key path that the object supports.
    ///   - type: the type of the value. For values of other types the element is nil.
    ///   - bufferingPolicy: which values wait for a slow reader; by default only the newest.
    public final func valueStream<Value: Sendable & Equatable>(
        forKey key: String, as type: Value.Type,
        bufferingPolicy: AsyncStream<Value?>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<Value?> {
        observedValue(bufferingPolicy) { (object: NSManagedObject) -> Value? in
            let value = key.contains(".") ? object.value(forKeyPath: key) : object.value(forKey: key)
            if let number = value as? NSNumber, let bridged = NSManagedObject.bridged(number, to: type) {
                return bridged
            }
            return value as? Value
        }
    }

    /// A number as one of Swift's number types: key-value coding returns all numbers as `NSNumber`.
    private static func bridged<Value>(_ number: NSNumber, to type: Value.Type) -> Value? {
        switch type {
        case is Bool.Type: number.boolValue as? Value
        case is Int.Type: number.intValue as? Value
        case is Int16.Type: number.int16Value as? Value
        case is Int32.Type: number.int32Value as? Value
        case is Int64.Type: number.int64Value as? Value
        case is Double.Type: number.doubleValue as? Value
        case is Float.Type: number.floatValue as? Value
        default: nil
        }
    }

    // MARK: Creating streams

    fileprivate final func observedValue<Object: NSManagedObject, Value: Sendable & Equatable>(
        _ bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy, _ read: @escaping (Object) -> Value
    ) -> AsyncStream<Value> {
        observed(bufferingPolicy) { continuation in
            var last = read(unsafeDowncast(self, to: Object.self))
            continuation.yield(last)
            return { object, change in
                guard change.kind != .deleted else { return }
                let value = read(unsafeDowncast(object, to: Object.self))
                guard value != last else { return }
                last = value
                continuation.yield(value)
            }
        }
    }

    private final func observed<Element: Sendable>(
        _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy,
        _ observer: (AsyncStream<Element>.Continuation) -> (NSManagedObject, ManagedObjectChange) -> Void
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
        guard let table, managedObjectContext != nil else {
            continuation.finish()
            return stream
        }
        let remove = table.handle.observers.add(
            ChangeObservers.ObjectObserver(onChange: observer(continuation)) { continuation.finish() }, of: self)
        continuation.onTermination = { _ in remove() }
        return stream
    }
}

extension NSFetchRequestResult where Self: NSManagedObject {
    /// **Extension.** Returns a stream of a property's values: the current value, and the new value after each change
    /// event that changes it.
    ///
    /// Like ``NSManagedObject/changeStream(bufferingPolicy:)``, for one property. If the key path leads to other
    /// objects, the value is read again when this object changes, not when the other objects do.
    ///
    /// - Parameters:
    ///   - keyPath: a property of the object's class.
    ///   - bufferingPolicy: which values wait for a slow reader; by default only the newest.
    public func valueStream<Value: Sendable & Equatable>(
        of keyPath: KeyPath<Self, Value>,
        bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<Value> {
        observedValue(bufferingPolicy) { (object: Self) in object[keyPath: keyPath] }
    }
}
