extension NSPredicate {
    /// The names of the variables that need a value before the predicate can be evaluated.
    package var freeVariables: Set<String> { TreePart.predicate(self).freeVariables }
}

extension NSExpression {
    /// The names of the variables that need a value before the expression can be evaluated.
    package var freeVariables: Set<String> { TreePart.expression(self).freeVariables }
}
