// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

extension SQLKeyPaths {
    /// A select with one row for each element of a collection, and the element.
    private static func elements(
        _ path: SQLCollectionPath, throughSegments count: Int
    ) throws -> (builder: SQLSelectBuilder, element: SQLPathObject) {
        guard count > 0 else {
            let builder = SQLSelectBuilder(aliases: path.owner.aliases)
            return (builder, builder.addContent(of: path.relationship, of: path.owner.key))
        }
        let segment = path.segments[count - 1]
        var (builder, element) = try elements(path, throughSegments: count - 1)
        if segment.preservesDuplicates, !segment.keys.isEmpty,
            case .object(let reached) = try resolve(segment.keys, from: element, text: path.text)
        {
            builder.filter(reached.operand.isPresent)
            element = reached
        } else if !segment.keys.isEmpty {
            // Only a subquery may read collections of collections.
            let end =
                segment.filter == nil
                ? try resolve(segment.keys, from: element, text: path.text)
                : try resolve(segment.keys, from: element, through: builder, text: path.text)
            if case .collection = end { throw crossing(path) }
            guard case .object(let reached) = end else {
                throw SQLQueryError.unsupported(
                    "the key path \(path.text)", because: "it reaches values where objects are needed")
            }
            builder.filter(reached.operand.isPresent)
            // Several rows may lead to one object.
            let keys = builder.select([reached.key])
            let entity = reached.entity
            builder = SQLSelectBuilder(aliases: path.owner.aliases)
            let alias = builder.add(entity.tableName) {
                .inSelect(.column(alias: $0, name: entity.table.primaryKey.name), keys)
            }
            element = SQLPathObject(row: alias, of: entity, in: builder)
        }
        if let filter = segment.filter { builder.filter(try filter(element)) }
        return (builder, element)
    }

    /// Resolves keys, starting with the row of a select. The select gets a row for each member of the collections that
    /// the keys cross.
    private static func resolve(
        _ keys: ArraySlice<String>, from start: SQLPathObject, through builder: SQLSelectBuilder, text: String
    ) throws -> SQLPathEnd {
        var element = start
        var rest = keys
        while true {
            let end = try resolve(rest, from: element, text: text)
            guard case .collection(let next) = end else { return end }
            guard next.segments.isEmpty, next.union == nil else {
                throw SQLQueryError.unsupported(
                    "the key path \(text)", because: "a collection operator stands inside another collection")
            }
            element = builder.addContent(of: next.relationship, of: next.owner.key)
            rest = next.rest
        }
    }

    /// A select of the values of a collection.
    ///
    /// - Parameters:
    ///   - path: the path to the values.
    ///   - crossing: whether the select has a row for each member of the further collections of the path too.
    /// - Returns: the builder of the select, and the result of the path in its rows.
    static func makeSelect(
        _ path: SQLCollectionPath, crossing: Bool = true
    ) throws -> (builder: SQLSelectBuilder, end: SQLPathEnd) {
        let (builder, element) = try elements(path, throughSegments: path.segments.count)
        let end =
            crossing
            ? try resolve(path.rest, from: element, through: builder, text: path.text)
            : try resolve(path.rest, from: element, text: path.text)
        if path.union != nil {
            switch end {
            case .operand(let operand): builder.filter(operand.isPresent)
            case .object(let object): builder.filter(object.operand.isPresent)
            case .collection(let next): builder.filter(next.owner.operand.isPresent)
            }
        }
        return (builder, end)
    }

    static func crossing(_ path: SQLCollectionPath) -> NSError {
        SQLQueryError.unsupported(
            "the key path \(path.text)", because: "it crosses two to-many relationships; use SUBQUERY")
    }

    /// The element of an ordered collection at an index. Negative indexes count from the end.
    static func element(of path: SQLCollectionPath, at index: Int) throws -> SQLPathEnd {
        let (builder, element) = try elements(path, throughSegments: path.segments.count)
        guard let order = element.orderKey, path.union == nil else {
            throw SQLQueryError.unsupported(
                "an index of \(path.text)", because: "only the members of an ordered relationship have an index")
        }
        var keys = builder.select([element.key])
        keys.ordering = [order, element.key].map { SQLOrderTerm(expression: $0, isAscending: index >= 0) }
        keys.limit = .integer(1)
        let position = index >= 0 ? index : -1 - index
        if position > 0 { keys.offset = .integer(Int64(position)) }
        let object = path.owner.sibling(.select(keys), of: element.entity)
        if path.rest.isEmpty { return .object(object) }
        // An ordered set contains the first of several equal values.
        guard index == 0 else {
            throw SQLQueryError.unsupported(
                "an index of \(path.text)",
                because: "an ordered set contains each value once; use the object at the index, and then its value")
        }
        return try resolve(path.rest, from: object, text: path.text)
    }
}
