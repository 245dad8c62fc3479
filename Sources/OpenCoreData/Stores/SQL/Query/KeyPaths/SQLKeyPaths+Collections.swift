import CoreDataModel
import CoreDataPredicates

extension SQLKeyPaths {
    /// Goes through the elements of a collection in a select of its own, each of which is one row.
    private static func elements(
        _ path: SQLCollectionPath, throughSegments count: Int
    ) throws -> (builder: SQLSelectBuilder, element: SQLPathObject) {
        guard count > 0 else {
            let builder = SQLSelectBuilder(aliases: path.owner.aliases)
            return (builder, builder.addContent(of: path.relationship, of: path.owner.key))
        }
        let segment = path.segments[count - 1]
        var (builder, element) = try elements(path, throughSegments: count - 1)
        if segment.keepsAll, !segment.keys.isEmpty,
            case .object(let reached) = try follow(segment.keys, from: element, text: path.text)
        {
            builder.filter(reached.operand.isPresent)
            element = reached
        } else if !segment.keys.isEmpty {
            // Only a subquery looks into collections of collections.
            let end =
                segment.filter == nil
                ? try follow(segment.keys, from: element, text: path.text)
                : try follow(segment.keys, from: element, through: builder, text: path.text)
            if case .collection = end { throw crossing(path) }
            guard case .object(let reached) = end else {
                throw SQLQueryError.unsupported(
                    "the key path \(path.text)", because: "it reaches values where objects are needed")
            }
            builder.filter(reached.operand.isPresent)
            // Several ways may lead to one object.
            let keys = builder.select([reached.key])
            let entity = reached.entity
            builder = SQLSelectBuilder(aliases: path.owner.aliases)
            let alias = builder.add(entity.tableName) {
                .memberOfSelect(.column(alias: $0, name: entity.table.primaryKey.name), keys)
            }
            element = SQLPathObject(row: alias, of: entity, in: builder)
        }
        if let filter = segment.filter { builder.filter(try filter(element)) }
        return (builder, element)
    }

    /// Follows keys from the row that a select goes through, with a row for each object of further collections on the
    /// way.
    private static func follow(
        _ keys: ArraySlice<String>, from start: SQLPathObject, through builder: SQLSelectBuilder, text: String
    ) throws -> SQLPathEnd {
        var element = start
        var rest = keys
        while true {
            let end = try follow(rest, from: element, text: text)
            guard case .collection(let next) = end else { return end }
            guard next.segments.isEmpty, next.union == nil else {
                throw SQLQueryError.unsupported(
                    "the key path \(text)", because: "a collection operator stands inside another collection")
            }
            element = builder.addContent(of: next.relationship, of: next.owner.key)
            rest = next.rest
        }
    }

    /// Goes through a collection in a select of its own.
    ///
    /// - Parameter crossing: whether to go through the collections further along the path too.
    /// - Returns: the select in the making, and what the path reaches in its rows.
    static func open(
        _ path: SQLCollectionPath, crossing: Bool = true
    ) throws -> (builder: SQLSelectBuilder, end: SQLPathEnd) {
        let (builder, element) = try elements(path, throughSegments: path.segments.count)
        let end =
            crossing
            ? try follow(path.rest, from: element, through: builder, text: path.text)
            : try follow(path.rest, from: element, text: path.text)
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

    /// The element of an ordered collection at a place; the last ones have negative places.
    static func element(of path: SQLCollectionPath, at place: Int) throws -> SQLPathEnd {
        let (builder, element) = try elements(path, throughSegments: path.segments.count)
        guard let order = element.place, path.union == nil else {
            throw SQLQueryError.unsupported(
                "an index of \(path.text)", because: "only the objects of an ordered relationship have places")
        }
        var keys = builder.select([element.key])
        keys.ordering = [order, element.key].map { SQLOrderTerm(expression: $0, isAscending: place >= 0) }
        keys.limit = 1
        keys.offset = place >= 0 ? place : -1 - place
        let object = path.owner.other(.select(keys), of: element.entity)
        if path.rest.isEmpty { return .object(object) }
        // Of equal values an ordered set holds the first.
        guard place == 0 else {
            throw SQLQueryError.unsupported(
                "an index of \(path.text)",
                because: "it holds each value once; take the object at the index, and then its value")
        }
        return try follow(path.rest, from: object, text: path.text)
    }
}
