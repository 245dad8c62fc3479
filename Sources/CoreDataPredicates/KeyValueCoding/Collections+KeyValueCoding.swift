extension NSArray {
    /// The elements' values for a key as an array, with `NSNull` where there is none; for a key that begins with `@`,
    /// what the operator gathers, for example `@count`.
    public func value(forKey key: String) -> Any { KeyPathWalk.value(of: self, path: [key]) ?? NSNull() }

    /// The value at the end of a key path, which may hold collection operators such as `@sum.length`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathWalk.value(of: self, path: KeyPathWalk.split(keyPath)[...])
    }
}

extension NSSet {
    /// The elements' values for a key as a set, without those that are missing; for a key that begins with `@`, what
    /// the operator gathers, for example `@count`.
    public func value(forKey key: String) -> Any { KeyPathWalk.value(of: self, path: [key]) ?? NSNull() }

    /// The value at the end of a key path, which may hold collection operators such as `@sum.length`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathWalk.value(of: self, path: KeyPathWalk.split(keyPath)[...])
    }
}

extension NSOrderedSet {
    /// The elements' values for a key as an ordered set; for a key that begins with `@`, what the operator gathers, for
    /// example `@count`.
    public func value(forKey key: String) -> Any? { KeyPathWalk.value(of: self, path: [key]) }

    /// The value at the end of a key path, which may hold collection operators such as `@sum.length`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathWalk.value(of: self, path: KeyPathWalk.split(keyPath)[...])
    }
}

extension NSDictionary {
    /// The value at the end of a key path, whose first key is one of the dictionary's; `@count`, `@allKeys` and
    /// `@allValues` are the dictionary's own.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathWalk.value(of: self, path: KeyPathWalk.split(keyPath)[...])
    }
}
