// SPDX-License-Identifier: Apache-2.0

/// A row of a result, whose values are read by column. Columns are numbered from 0.
///
/// The functions of ``SQLRowReader`` are specialized for the rows of this module.
package protocol SQLRow {
    /// The store of the row.
    associatedtype Source: SQLRowSource

    /// An integer or a key; nil for NULL.
    ///
    /// - Throws: an error of the engine for a value that has another form. An engine whose values have their types with
    ///   them throws nothing.
    func integer(at column: Int32) throws -> Int64?
    /// A number or a date, in seconds since the reference date; nil for NULL.
    ///
    /// - Throws: as ``integer(at:)`` does.
    func real(at column: Int32, kind: SQLStorageKind) throws -> Double?
    /// A text; nil for NULL.
    func string(at column: Int32) -> String?
    /// A value that is an object in a cell; nil for NULL.
    ///
    /// - Parameter origin: the store and the name of the entity, which few values need.
    func object(
        at column: Int32, kind: SQLStorageKind, origin: () -> (source: Source, entityName: String)
    ) throws -> AnyObject?
    /// A value for dictionaries that is no object of the model and no transformable; nil for NULL.
    func value(of step: ValuePlan.Step, in source: Source) throws -> Any?
}

/// A store whose rows are read.
package protocol SQLRowSource {
    /// The name of the column of primary keys in messages.
    static var primaryKeyName: String { get }
    /// The error of a store with a row that no undamaged store has: `NSFileReadCorruptFileError` (259).
    ///
    /// - Parameter finding: the contents of the row, as the end of a sentence about the store.
    func damaged(_ finding: String) -> NSError
}
