// SPDX-License-Identifier: Apache-2.0

/// The names of entities and properties in files.
///
/// An XML file has the names of entities in capitals and the names of properties in small letters. A name that isn't
/// unique in this form is written as it is.
package struct AtomicFileNames {
    private let layouts: ModelLayout
    private var entities: [String: EntityLayout] = [:]
    private var properties: [UInt32: [String: PropertySlot]] = [:]

    package init(_ layouts: ModelLayout) {
        self.layouts = layouts
        for layout in layouts.layouts { entities[layout.name] = layout }
        for layout in layouts.layouts where entities[layout.name.uppercased()] == nil {
            entities[layout.name.uppercased()] = layout
        }
        for layout in layouts.layouts {
            let slots = layout.properties.flatMap(\.leaves).filter { !$0.isTransient && $0.kind != .fetched }
            var names: [String: PropertySlot] = [:]
            for slot in slots { names[slot.keyPath] = slot }
            for slot in slots where names[slot.keyPath.lowercased()] == nil { names[slot.keyPath.lowercased()] = slot }
            properties[layout.number] = names
        }
    }

    /// The entity with a name, in either form.
    package func entity(_ name: String) -> EntityLayout? { entities[name] }

    /// The property with a name, in either form; nil for properties that files don't contain.
    func property(_ name: String, of layout: EntityLayout) -> PropertySlot? { properties[layout.number]?[name] }

    /// The name of an entity in capitals.
    func capitals(_ entity: String) -> String {
        let text = entity.uppercased()
        return entities[text]?.name == entity ? text : entity
    }

    /// The name of a property of an entity in small letters.
    func smallLetters(_ name: String, of entity: String) -> String {
        let text = name.lowercased()
        guard let layout = entities[entity], properties[layout.number]?[text]?.keyPath == name else { return name }
        return text
    }
}
