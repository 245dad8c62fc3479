extension NSExpression {
    /// Creates an expression for a Swift key path of a managed object.
    ///
    /// A key path that doesn't lead along properties of the model stops the program with a message.
    ///
    /// - Parameter keyPath: the key path, for example `\Song.album?.title`.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        guard let key = SwiftKeyPaths.key(for: keyPath) else {
            programmingError(
                "NSExpression(forKeyPath:): \(keyPath) has no key. Lead it along managed properties, or give a string.")
        }
        self.init(forKeyPath: key)
    }
}
