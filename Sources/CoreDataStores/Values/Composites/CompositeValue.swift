// SPDX-License-Identifier: Apache-2.0

/// The value of a composite attribute: a dictionary of the elements that have a value. If no element has a value, the
/// composite is nil: the columns of a store have no difference between an empty dictionary and nil.
package enum CompositeValue {
    static func read(_ slot: PropertySlot, _ cells: Cells) -> [String: Any]? {
        Content(slot, cells).values
    }

    /// The contents of the cells. Decoding a transformable value calls the program, which may do anything to the cells:
    /// all of them are read before.
    private struct Content {
        private var plain: [String: Any] = [:]
        private var objects: [(element: PropertySlot, object: AnyObject)] = []
        private var composites: [(name: String, content: Content)] = []

        init(_ slot: PropertySlot, _ cells: Cells) {
            for element in slot.elements {
                switch element.kind {
                case .transformable: cells.object(element.cell).pointee.map { objects.append((element, $0)) }
                case .composite: composites.append((element.name, Content(element, cells)))
                default: plain[element.name] = element.read(cells)
                }
            }
        }

        /// Nil without a value.
        var values: [String: Any]? {
            var values = plain
            for (element, object) in objects { values[element.name] = element.objectValue(object) }
            for (name, content) in composites { values[name] = content.values }
            return values.isEmpty ? nil : values
        }
    }

    /// Replaces the complete value: elements that are not in the dictionary become nil.
    static func write(_ value: Any, to slot: PropertySlot, _ cells: Cells, entity: String) {
        guard let values = dictionary(value) else { slot.refuse(value, entity, "NSDictionary") }
        if let unknown = values.keys.sorted().first(where: { key in !slot.elements.contains { $0.name == key } }) {
            let names = slot.elements.map(\.name)
            programmingError(
                """
                The composite attribute \(entity).\(slot.keyPath) has no element \
                \"\(unknown)\".\(NearestNames.suggestion(for: unknown, in: names))
                """,
                remedy: "Its elements are: \(names.sorted().joined(separator: ", ")).")
        }
        for element in slot.elements {
            let value = values[element.name]
            element.write(value is NSNull ? nil : value, to: cells, entity: entity)
        }
    }

    package static func dictionary(_ value: Any) -> [String: Any]? {
        if let values = value as? [String: Any] { return values }
        guard let values = value as? NSDictionary else { return nil }
        var result: [String: Any] = [:]
        for (key, value) in values {
            guard let key = key as? String else { return nil }
            result[key] = value
        }
        return result
    }
}
