extension NSPredicate {
    /// Creates a predicate out of one of Swift's, for example `#Predicate<Song> { $0.title == "x" }`.
    ///
    /// The key paths in it must lead along properties of managed objects, or of a type that is `SwiftKeyPathNaming`.
    ///
    /// - Parameter predicate: the predicate. Constants are taken as they are now.
    /// - Returns: nil for a predicate with a part that the format language can't express, such as a property that is
    ///   computed, or a range of a collection.
    public convenience init?<Input>(_ predicate: Predicate<Input>) where Input: NSObject {
        self.init(decoded: { try? PredicateTranslation.predicate(of: predicate) })
    }
}

extension NSExpression {
    /// Creates an expression out of one of Swift's, for example `#Expression<Song, Int> { $0.title.count }`.
    ///
    /// - Parameter expression: the expression. Constants are taken as they are now.
    /// - Returns: nil for an expression with a part that the format language can't express.
    public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) where Input: NSObject {
        self.init(decoded: { try? PredicateTranslation.expression(of: expression) })
    }
}
