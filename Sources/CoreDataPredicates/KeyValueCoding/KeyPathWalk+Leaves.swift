/// An object that knows where key paths lead from it, also where nothing is: by its entity.
package protocol KeyPathKnowing {
    /// True if a path crosses or ends at a to-many relationship.
    func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool
}

extension KeyPathWalk {
    /// The values at the end of a path, one for each way through its collections; nil for a path that `leaves` can't
    /// follow because it gathers collections by an operator.
    static func leaves(of receiver: Any?, path: ArraySlice<String>) -> [Any?]? {
        if path.contains(where: { $0.hasPrefix("@") }) { return nil }
        var leaves: [Any?] = []
        collect(Values.unwrap(receiver), path, inCollection: false, into: &leaves)
        return leaves
    }

    private static func collect(
        _ value: Any?, _ path: ArraySlice<String>, inCollection: Bool, into leaves: inout [Any?]
    ) {
        if let value, !(value is any KeyValueCoding), let elements = Values.elements(of: value),
            !(value is NSDictionary && !path.isEmpty)
        {
            for element in elements { collect(Values.unwrap(element), path, inCollection: true, into: &leaves) }
            return
        }
        guard let key = path.first else {
            // A missing collection has no elements; a missing value of an element is a value.
            if value != nil || inCollection { leaves.append(value) }
            return
        }
        guard let value else {
            if inCollection { leaves.append(nil) }
            return
        }
        let rest = path.dropFirst()
        let next = self.value(of: value, key: key)
        // Where nothing is, no collection has elements; where a single value was wanted, it is missing.
        if next == nil, (value as? any KeyPathKnowing)?.crossesToManyRelationship(path) == true { return }
        collect(next, rest, inCollection: inCollection, into: &leaves)
    }
}
