// SPDX-License-Identifier: Apache-2.0

/// A statement that is ready to run.
package struct SQLStatement: Sendable, Equatable {
    package let text: String
    /// The values of the parameters, in order.
    package let bindings: [SQLValue]
    /// The positions of a dictionary's values in the rows, for a query that returns dictionaries.
    package var results: [SQLResultColumn] = []

    package init(text: String, bindings: [SQLValue]) {
        self.text = text
        self.bindings = bindings
    }
}

/// The position and type of one value of a dictionary in the rows of a statement.
package struct SQLResultColumn: Sendable, Equatable {
    /// The index of the statement's column.
    let position: Int
    /// The stored type of the value; a relationship key for objects.
    package let kind: SQLStorageKind
    /// For objects of an entity with subentities: the index of the column with the number of the actual entity.
    var entityPosition: Int?
    /// For composite attributes: the stored types of the elements, whose columns follow one another.
    var elementKinds: [SQLStorageKind] = []
}
