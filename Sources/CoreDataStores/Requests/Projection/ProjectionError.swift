// SPDX-License-Identifier: Apache-2.0

/// The errors of dictionary fetches: `NSCoreDataError` (134060) in `NSCocoaErrorDomain`, with the names of the entity
/// and of the property.
package enum ProjectionError {
    package static func invalid(_ property: String, _ layout: EntityLayout, because reason: String) -> NSError {
        error(
            """
            The property '\(property)' can't be in the dictionaries of a fetch for entity '\(layout.name)': \
            \(reason).
            """,
            property, layout)
    }

    static func unknownKey(_ key: String, in path: String, of layout: EntityLayout) -> NSError {
        let known = layout.properties.map(\.name).sorted().joined(separator: ", ")
        return error(
            """
            keypath \(path) not found in entity \(layout.name): \(layout.name) has no property '\(key)'. It has: \
            \(known).\(NearestNames.suggestion(for: key, in: layout.properties.map(\.name)))
            """,
            path, layout)
    }

    static func ungrouped(_ expression: NSExpression, _ key: String, _ layout: EntityLayout, isGrouped: Bool)
        -> NSError
    {
        let text =
            isGrouped
            ? """
            SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY \
            or aggregate functions
            """
            : """
            a fetch of aggregates without propertiesToGroupBy has one result, but this value differs from object to \
            object
            """
        let part = "\(expression)" == key ? "" : " (in '\(key)')"
        return error(
            """
            The fetch for entity '\(layout.name)' is invalid: \(text): '\(expression)'\(part) is none of these. \
            Add it to propertiesToGroupBy, or fetch an aggregate of it.
            """,
            key, layout)
    }

    package static func request(_ text: String, _ layout: EntityLayout) -> NSError {
        error("Invalid fetch request for entity '\(layout.name)': \(text)", nil, layout)
    }

    private static func error(_ text: String, _ property: String?, _ layout: EntityLayout) -> NSError {
        var info: [String: Any] = ["entity": layout.name]
        if let property { info["part"] = property }
        return CoreDataErrors.error(NSCoreDataError, message: text, reason: text, userInfo: info)
    }
}
