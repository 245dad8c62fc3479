// SPDX-License-Identifier: Apache-2.0

/// Describes the difference between two entities of one name, for the message of a merge conflict.
enum EntityDifference {
    /// The first difference: "attribute 'title' is only in the first", "of 'title', optional is yes in the first and no
    /// in the second".
    static func first(between first: NSEntityDescription, and second: NSEntityDescription) -> String {
        guard let difference = ModelComparison.differences(between: first, and: second).first else {
            return "they differ in details"
        }
        let aspect = difference.aspect
        if let name = difference.property, first.property(named: name) == nil || second.property(named: name) == nil {
            return "\(aspect) '\(name)' is only in the \(difference.old == nil ? "second" : "first")"
        }
        let owner = difference.property.map { "of '\($0)', " } ?? ""
        let (old, new) = (difference.old ?? "not set", difference.new ?? "not set")
        return "\(owner)\(aspect) is \(old) in the first and \(new) in the second"
    }
}
