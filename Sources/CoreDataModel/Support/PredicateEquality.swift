/// Compares predicates by what they say. Foundation's own `==` on compound predicates can't be trusted on Linux.
func predicatesAreEqual(_ left: [NSPredicate], _ right: [NSPredicate]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { predicatesAreEqual($0, $1) }
}

func predicatesAreEqual(_ left: NSPredicate?, _ right: NSPredicate?) -> Bool {
    switch (left, right) {
    case (nil, nil): return true
    case (let left?, let right?): return left.structurallyEquals(right)
    default: return false
    }
}

func expressionsAreEqual(_ left: NSExpression?, _ right: NSExpression?) -> Bool {
    switch (left, right) {
    case (nil, nil): return true
    case (let left?, let right?): return left.structurallyEquals(right)
    default: return false
    }
}
