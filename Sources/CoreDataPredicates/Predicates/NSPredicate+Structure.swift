extension NSPredicate {
    /// True if both predicates have the same structure and equal constants. Blocks equal only themselves.
    package func structurallyEquals(_ other: NSPredicate) -> Bool {
        TreePart.equal(.predicate(self), .predicate(other))
    }

    /// A hash that agrees with `structurallyEquals`.
    package var structuralHash: Int { TreePart.predicate(self).structuralHash }
}
