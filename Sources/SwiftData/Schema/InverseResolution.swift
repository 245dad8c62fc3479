// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Finds the inverse of each relationship: the relationship that a source names, or else the only candidate.
///
/// If two relationships name the same inverse, the first one gets it, and the second has no inverse.
struct InverseResolution {
    private let entities: [Schema.Entity]
    private let byName: [String: Schema.Entity]

    private struct Side {
        let entity: Schema.Entity
        let relationship: Schema.Relationship
    }

    init(_ entities: [Schema.Entity], _ byName: [String: Schema.Entity]) {
        self.entities = entities
        self.byName = byName
    }

    func resolve(_ problems: inout [SchemaProblem]) {
        let sides = entities.flatMap { entity in
            entity.storedProperties.compactMap {
                ($0 as? Schema.Relationship).map { Side(entity: entity, relationship: $0) }
            }
        }
        for side in sides { side.relationship.inverseName = nil }
        for side in sides { connectDeclared(side, &problems) }
        // A relationship whose source names another inverse gets none that follows.
        let open = sides.filter { $0.relationship.inverseName == nil && $0.relationship.inverseKeyPath == nil }
        for side in open where side.relationship.inverseName == nil { connectOnlyCandidate(side, open) }
    }

    // MARK: Inverses that a source names

    private func connectDeclared(_ side: Side, _ problems: inout [SchemaProblem]) {
        let relationship = side.relationship
        guard let keyPath = relationship.inverseKeyPath else { return }
        func report(_ reason: String) {
            problems.append(SchemaProblem(side.entity.name, relationship.name, reason))
        }
        guard let name = ModelKeyPaths.name(of: keyPath), !name.contains(".") else {
            return report("its inverse, \(keyPath), is no stored property.")
        }
        guard let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type,
            let destination = byName[relationship.destination], inherits(destination, ModelMetadata.of(root).name)
        else {
            return report(
                "its inverse, \(keyPath), is no property of \(relationship.destination), where the relationship leads.")
        }
        guard let inverse = self.relationship(named: name, of: destination) else {
            return report("its inverse, \(destination.name).\(name), is no relationship.")
        }
        guard related(inverse.destination, side.entity) else {
            return report(
                "its inverse, \(destination.name).\(name), leads to \(inverse.destination), not to \(side.entity.name)."
            )
        }
        if let known = relationship.inverseName, known != name {
            return report("its inverse is \(destination.name).\(name), but \(known) names it as its inverse, too.")
        }
        if let known = inverse.inverseName, known != relationship.name {
            CoreDataLog.warning(
                """
                \(side.entity.name).\(relationship.name) has no inverse: the one that its source names, \
                \(destination.name).\(name), is that of \(known). Setting one doesn't set the other.
                """)
            return
        }
        relationship.inverseName = name
        inverse.inverseName = relationship.name
    }

    private func relationship(named name: String, of entity: Schema.Entity) -> Schema.Relationship? {
        if let own = entity.storedProperties.first(where: { $0.name == name }) { return own as? Schema.Relationship }
        return entity.superentity.flatMap { relationship(named: name, of: $0) }
    }

    private func inherits(_ entity: Schema.Entity, _ name: String) -> Bool {
        var current: Schema.Entity? = entity
        while let entity = current {
            if entity.name == name { return true }
            current = entity.superentity
        }
        return false
    }

    /// Whether a name belongs to an entity, to one of its ancestors, or to one of its descendants.
    private func related(_ name: String, _ entity: Schema.Entity) -> Bool {
        inherits(entity, name) || byName[name].map { inherits($0, entity.name) } ?? false
    }

    // MARK: Inverses that follow

    /// The inverse follows where one relationship leads there, and one back, and no source names another inverse.
    private func connectOnlyCandidate(_ side: Side, _ sides: [Side]) {
        let there = sides.filter {
            $0.entity === side.entity && $0.relationship.destination == side.relationship.destination
                && $0.relationship.inverseName == nil
        }
        let back = sides.filter {
            $0.entity.name == side.relationship.destination && $0.relationship.destination == side.entity.name
                && $0.relationship.inverseName == nil && $0.relationship !== side.relationship
        }
        guard there.count == 1, back.count == 1, side.entity.name != side.relationship.destination else { return }
        side.relationship.inverseName = back[0].relationship.name
        back[0].relationship.inverseName = side.relationship.name
    }
}
