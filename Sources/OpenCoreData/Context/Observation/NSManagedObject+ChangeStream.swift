extension NSManagedObject {
    /// **Extension.** The changes of the object from now on: one element for each change event of its context that
    /// concerns it, after the context's `NSManagedObjectContextObjectsDidChange`. Events that leave all values as they
    /// are aren't told.
    ///
    /// Fires a fault, now and when the object is refreshed, since the values are compared. A to-many relationship
    /// counts as changed when its objects are others; one that was read and lost its objects in a refresh counts too.
    /// The stream ends when the object goes, its deletion is saved, or its context is reset or goes. It keeps none of
    /// them alive. Call it on the context's queue; the elements can be used in any task. Each call makes a stream for
    /// one reader.
    ///
    /// - Parameter bufferingPolicy: what becomes of changes that aren't read as fast as they come; by default all wait.
    /// - Returns: a stream that has ended for an object without context.
    public final func changeStream(
        bufferingPolicy: AsyncStream<ManagedObjectChange>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<ManagedObjectChange> {
        observed(bufferingPolicy) { continuation in { _, change in continuation.yield(change) } }
    }

    /// **Extension.** The value of a property now, and after each change event in which it became another one.
    ///
    /// As ``changeStream(bufferingPolicy:)``, for one property of any class of objects.
    ///
    /// - Parameters:
    ///   - key: the property's name, or any key or key path that the object answers to.
    ///   - type: the type of the value; values of other types are delivered as nil.
    ///   - bufferingPolicy: what becomes of values that aren't read as fast as they come; by default only the newest
    ///     waits.
    public final func valueStream<Value: Sendable & Equatable>(
        forKey key: String, as type: Value.Type,
        bufferingPolicy: AsyncStream<Value?>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<Value?> {
        observedValue(bufferingPolicy) { (object: NSManagedObject) -> Value? in
            let value = key.contains(".") ? object.value(forKeyPath: key) : object.value(forKey: key)
            // A number may come as any type that it fits.
            if let number = value as? NSNumber, let bridged = NSManagedObject.bridged(number, to: type) {
                return bridged
            }
            return value as? Value
        }
    }

    /// Numbers come as `NSNumber` by key.
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

    // MARK: Making streams

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
        guard let table, table.handle.context != nil, !flags.contains(.detached) else {
            continuation.finish()
            return stream
        }
        let remove = table.handle.observers.add(
            ChangeObservers.ObjectObserver(tell: observer(continuation)) { continuation.finish() }, of: self)
        continuation.onTermination = { _ in remove() }
        return stream
    }
}

extension NSFetchRequestResult where Self: NSManagedObject {
    /// **Extension.** The value of a property now, and after each change event in which it became another one.
    ///
    /// As ``NSManagedObject/changeStream(bufferingPolicy:)``, for one property. A key path that leads on to other
    /// objects is followed when this object changes, not when the others do.
    ///
    /// - Parameters:
    ///   - keyPath: a property of the object's class.
    ///   - bufferingPolicy: what becomes of values that aren't read as fast as they come; by default only the newest
    ///     waits.
    public func valueStream<Value: Sendable & Equatable>(
        of keyPath: KeyPath<Self, Value>,
        bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> AsyncStream<Value> {
        observedValue(bufferingPolicy) { (object: Self) in object[keyPath: keyPath] }
    }
}
