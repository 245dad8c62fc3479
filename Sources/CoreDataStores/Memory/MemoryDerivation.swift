// SPDX-License-Identifier: Apache-2.0

/// A relationship over which attributes of an entity are derived: `items.@count`, `items.price.@sum`, `album.title`.
///
/// A store in memory updates them when related objects are saved, as the triggers of a SQLite store do. The other
/// derived attributes are computed when their own object is saved.
struct MemoryDerivation {
    let layout: EntityLayout
    let relationship: PropertySlot

    /// The relationships of a model, each once for an entity.
    static func all(of model: ModelLayout) -> [MemoryDerivation] {
        model.layouts.flatMap { layout -> [MemoryDerivation] in
            let names = layout.derivedProperties.compactMap { layout.properties[$0].derivation?.relationship?.name }
            return Set(names).compactMap { layout.slot(named: $0) }.map {
                MemoryDerivation(layout: layout, relationship: $0)
            }
        }
    }
}
