/// Whether two optional values out of a description (defaults, warnings, user info) are equal as Foundation objects.
func valuesAreEqual(_ left: Any?, _ right: Any?) -> Bool {
    Values.equal(left, right)
}

func valueListsAreEqual(_ left: [Any], _ right: [Any]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { valuesAreEqual($0, $1) }
}

/// User info dictionaries: a missing one equals an empty one, as both are archived alike.
func userInfosAreEqual(_ left: [AnyHashable: Any]?, _ right: [AnyHashable: Any]?) -> Bool {
    let left = left ?? [:]
    let right = right ?? [:]
    return left.count == right.count && left.allSatisfy { key, value in valuesAreEqual(value, right[key]) }
}
