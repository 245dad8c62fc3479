/// Finds the key of a Swift key path. The module that knows managed objects sets the way, once, at its start.
package enum SwiftKeyPaths {
    private static let resolver = Locked<(@Sendable (AnyKeyPath) -> String?)?>(nil)

    /// Sets how the key of a key path is found.
    package static func setResolver(_ resolve: @escaping @Sendable (AnyKeyPath) -> String?) {
        resolver.withLock { $0 = resolve }
    }

    /// The key of a key path, nil if it is unknown.
    package static func key(for keyPath: AnyKeyPath) -> String? {
        resolver.withLock { $0 }?(keyPath)
    }
}
