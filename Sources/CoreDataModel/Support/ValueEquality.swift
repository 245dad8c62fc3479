// SPDX-License-Identifier: Apache-2.0

/// Whether two optional values of a description (defaults, warnings, user info) are equal as Foundation objects.
func valuesAreEqual(_ left: Any?, _ right: Any?) -> Bool {
    Values.equal(left, right)
}

func valueListsAreEqual(_ left: [Any], _ right: [Any]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { valuesAreEqual($0, $1) }
}

/// Whether two user info dictionaries are equal. Nil equals an empty dictionary, since both have the same archive.
func userInfosAreEqual(_ left: [AnyHashable: Any]?, _ right: [AnyHashable: Any]?) -> Bool {
    let left = left ?? [:]
    let right = right ?? [:]
    return left.count == right.count && left.allSatisfy { key, value in valuesAreEqual(value, right[key]) }
}

/// Whether two lists of predicates have the same structure. Foundation's `==` is unreliable for compound predicates on
/// Linux.
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
