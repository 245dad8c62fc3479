// SPDX-License-Identifier: Apache-2.0

/// A stored value that reads as nil or as another value, because it doesn't fit the model or its file is missing.
package struct StoredValueProblem: Sendable {
    /// The name of the object's entity.
    package let entityName: String
    /// The key of the attribute; for an element of a composite attribute the key path.
    package let keyPath: String
    /// The object's primary key.
    package let primaryKey: Int64
    /// The problem as the end of a sentence whose subject is the value.
    package let finding: String
}
