// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Where the links of a relationship of the destination are in the source.
///
/// The source relationship has some of the links, and the source of the inverse has others: two relationships of the
/// source may become each other's inverse. Each subentity may have a different source, for instance if the relationship
/// moves into a parent.
struct MigratedRelationship {
    /// A relationship of the source that has some of the links.
    struct Part {
        /// The relationship of the source, which is no attribute.
        let property: SQLProperty
        /// The entity of the source that declares it.
        let owner: SQLEntity
        /// Whether it is a source of the inverse: its owners are the members.
        let isInverse: Bool
        /// The numbers of the source's entities whose objects bring their links along.
        var owners: Set<Int>

        /// Whether each of its members has one owner.
        var hasOneOwner: Bool {
            if case .toMany(let relationship) = property { return !relationship.mayShareMembers }
            return false
        }

        var destination: SQLEntity {
            switch property {
            case .toOne(let relationship): relationship.destination
            case .toMany(let relationship): relationship.destination
            case .attribute, .composite: owner
            }
        }
    }

    let description: NSRelationshipDescription
    let parts: [Part]
    /// The numbers of the source's entities whose objects stay.
    private let kept: Set<Int>

    /// - Parameters:
    ///   - description: a relationship of the destination.
    ///   - entity: the entity that declares it.
    ///   - columns: the entities of both models.
    init(_ description: NSRelationshipDescription, of entity: SQLEntity, _ columns: MigratedColumns) {
        self.description = description
        kept = columns.keptNumbers
        var parts = Self.parts(description.name, of: entity, isInverse: false, columns)
        if let inverse = description.inverseRelationship,
            let destination = columns.destination.entity(for: inverse.entity)
        {
            let known = Set(parts.map { Self.key($0.property.relationship) })
            // Of two sides of one relationship of the source one is enough.
            parts += Self.parts(inverse.name, of: destination, isInverse: true, columns).filter {
                !known.contains(Self.key($0.property.relationship?.inverseRelationship))
            }
        }
        self.parts = parts
    }

    private static func parts(
        _ name: String, of entity: SQLEntity, isInverse: Bool, _ columns: MigratedColumns
    ) -> [Part] {
        var parts: [Part] = []
        func visit(_ entity: SQLEntity) {
            entity.subentities.forEach(visit)
            guard let source = columns.sourceEntity(of: entity),
                let found = columns.mapping.entities[entity.name]?.relationships[name],
                let property = source.properties[found.name], property.relationship != nil
            else { return }
            var owner = source
            while let parent = owner.superentity, parent.properties[found.name] != nil { owner = parent }
            let known = parts.firstIndex { $0.owner === owner && $0.property.relationship?.name == found.name }
            if let known {
                parts[known].owners.insert(source.number)
            } else {
                parts.append(Part(property: property, owner: owner, isInverse: isInverse, owners: [source.number]))
            }
        }
        visit(entity)
        return parts.sortedBytewise { "\($0.owner.name).\($0.property.relationship?.name ?? "")" }
    }

    /// A relationship by the entity that declares it, and its name.
    private static func key(_ relationship: NSRelationshipDescription?) -> [String]? {
        guard let relationship else { return nil }
        var owner: NSEntityDescription? = relationship.entity
        while let parent = owner?.superentity, parent.relationshipsByName[relationship.name] != nil { owner = parent }
        return [owner?.name ?? "", relationship.name]
    }

    // MARK: What stays as it is

    /// The relationship of the source that has exactly these links, apart from the links of objects that the migration
    /// deletes; nil if the links have to be written.
    var onlySource: Part? {
        guard parts.count == 1, let part = parts.first, !part.isInverse, bringsAllLinks(part) else { return nil }
        return part
    }

    /// The sources of the relationship itself, if no source of the inverse has links.
    var ownSources: [Part]? { parts.contains(where: \.isInverse) || parts.isEmpty ? nil : parts }

    private func bringsAllLinks(_ part: Part) -> Bool {
        part.owner.numbers.allSatisfy { part.owners.contains($0) || !kept.contains($0) }
    }

    // MARK: Pairs

    /// The links; nil for a relationship without a source.
    ///
    /// - Parameters:
    ///   - dialect: the texts of the store's engine.
    ///   - names: the present names of the source's tables and columns.
    func pairs(_ dialect: any SQLMigrationDialect, _ names: any SourceNames) -> MigratedPairs? {
        let pairs = parts.compactMap { part -> MigratedPairs? in
            // Links of objects that are deleted don't count.
            let owners = part.owner.numbers.allSatisfy(part.owners.contains) ? nil : part.owners
            let members = part.destination.numbers.allSatisfy(kept.contains) ? nil : kept
            return MigratedPairs(part.property, of: part.owner, owners: owners, members: members, dialect, names).map {
                part.isInverse ? $0.swapped : $0
            }
        }
        return MigratedPairs(union: pairs)
    }

    // MARK: Room

    /// Whether the sources have at most one object for each owner of a to-one relationship.
    var hasOneMember: Bool {
        if parts.allSatisfy({ !$0.isInverse }) { return true }
        return parts.count == 1 && parts[0].hasOneOwner
    }

    /// Whether the sources have at most one owner for each member of a relationship without inverse.
    var hasOneOwner: Bool { parts.isEmpty || parts.count == 1 && parts[0].hasOneOwner }
}

/// The present names of the source's tables and columns, while a migration changes them.
protocol SourceNames {
    func name(of table: String) -> String
    func name(of column: String, in table: SQLTable) -> String
}

/// The names before the first step.
struct OriginalNames: SourceNames {
    func name(of table: String) -> String { table }
    func name(of column: String, in table: SQLTable) -> String { column }
}
