/// A value of a dictionary in the rows of a statement.
package struct SQLResultColumn: Sendable, Equatable {
    /// The place of the statement's column.
    let position: Int
    /// In which form the value comes; a relationship key for objects.
    let kind: SQLStorageKind
    /// For objects: the place of the column with the number of the actual entity, if that isn't known already.
    var entityPosition: Int?
    /// For composite attributes: how the elements come, whose places follow one another.
    var elementKinds: [SQLStorageKind] = []
}
