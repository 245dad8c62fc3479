extension NSPredicate {
    /// A copy of the predicate in which variables are replaced by constants; variables without a value stay.
    ///
    /// - Parameter variables: the values by the variables' names, without `$`.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        guard let result = substituting(variables) as? Self else {
            programmingError("\(type(of: self)) can't take part in variable substitution: it is a subclass of its own.")
        }
        return result
    }

    package func substituting(_ variables: [String: Any]) -> NSPredicate {
        [TreePart.predicate(self).substituting(variables)].predicate(0)
    }
}
