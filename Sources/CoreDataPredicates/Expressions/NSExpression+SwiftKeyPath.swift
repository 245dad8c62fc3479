extension NSExpression {
    /// Creates an expression for a Swift key path of a managed object, or of another type that is `SwiftKeyPathNaming`.
    ///
    /// A key path that doesn't lead along properties of the model stops the program with a message.
    ///
    /// - Parameter keyPath: the key path, for example `\Song.album?.title`.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(forKeyPath: SwiftKeyPaths.requiredKey(for: keyPath, of: "NSExpression(forKeyPath:)"))
    }
}
