// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Builds the diagram of a model.
struct DiagramBuilder {
    private let entities: [NSEntityDescription]
    private let positions: [String: Int]
    private var boxes: [DiagramBox] = []
    private var lines: [DiagramLine] = []
    /// The row of each relationship, by entity and name.
    private var rows: [RelationshipKey: Int] = [:]

    private struct RelationshipKey: Hashable {
        let entity: String
        let relationship: String
    }

    static func diagram(of model: NSManagedObjectModel) -> DiagramModel {
        var builder = DiagramBuilder(model)
        builder.addBoxes()
        builder.addRelationships()
        builder.addInheritance()
        return DiagramModel(boxes: builder.boxes, lines: builder.lines)
    }

    private init(_ model: NSManagedObjectModel) {
        entities = model.entities.sortedBytewise { $0.name ?? "" }
        positions = Dictionary(
            entities.enumerated().map { ($0.element.name ?? "", $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func addBoxes() {
        for entity in entities {
            let name = entity.name ?? ""
            var box = DiagramBox(
                name: name, isAbstract: entity.isAbstract, rows: [DiagramRow(kind: .title, name: name, type: "")])
            if let parent = entity.superentityName {
                box.rows.append(DiagramRow(kind: .parent, name: parent, type: ""))
            }
            let properties = entity.declaredProperties.sortedBytewise { $0.name }
            for case let attribute as NSAttributeDescription in properties { box.rows.append(Self.row(of: attribute)) }
            for case let relationship as NSRelationshipDescription in properties {
                rows[RelationshipKey(entity: name, relationship: relationship.name)] = box.rows.count
                box.rows.append(Self.row(of: relationship))
            }
            for case let fetched as NSFetchedPropertyDescription in properties {
                box.rows.append(
                    DiagramRow(
                        kind: .fetchedProperty, name: fetched.name,
                        type: "fetched \(fetched.fetchRequest?.entityName ?? "")"))
            }
            boxes.append(box)
        }
    }

    private static func row(of attribute: NSAttributeDescription) -> DiagramRow {
        let type = AttributeOutline(attribute: attribute).typeName + (attribute.isOptional ? "?" : "")
        let name = attribute is NSDerivedAttributeDescription ? "/\(attribute.name)" : attribute.name
        return DiagramRow(
            kind: .attribute, name: name, type: type, isOptional: attribute.isOptional,
            isTransient: attribute.isTransient)
    }

    private static func row(of relationship: NSRelationshipDescription) -> DiagramRow {
        let most = relationship.isToMany ? (relationship.maxCount == 0 ? "*" : String(relationship.maxCount)) : "1"
        let least = relationship.isOptional ? "0" : String(max(1, relationship.minCount))
        let count = least == most ? most : "\(least)..\(most)"
        let order = relationship.isOrdered ? " ordered" : ""
        return DiagramRow(
            kind: .relationship, name: relationship.name,
            type: "\(relationship.destinationEntityName ?? "?") \(count)\(order)",
            isOptional: relationship.isOptional, isTransient: relationship.isTransient)
    }

    private mutating func addRelationships() {
        var done: Set<RelationshipKey> = []
        for (index, entity) in entities.enumerated() {
            for relationship in entity.declaredProperties.compactMap({ $0 as? NSRelationshipDescription })
                .sortedBytewise(by: { $0.name })
            {
                let key = RelationshipKey(entity: entity.name ?? "", relationship: relationship.name)
                guard !done.contains(key), let row = rows[key],
                    let destination = positions[relationship.destinationEntityName ?? ""]
                else { continue }
                done.insert(key)
                let label = "\(key.entity).\(relationship.name)"
                if let inverse = relationship.inverseRelationship,
                    let back = relationshipKey(inverse, from: relationship.destinationEntity),
                    inverse.inverseRelationshipName == relationship.name, let backRow = rows[back],
                    let backBox = positions[back.entity],
                    back == key || !done.contains(back)
                {
                    // A relationship that is its own inverse has one row, and no line.
                    guard back != key else { continue }
                    done.insert(back)
                    add(
                        label + " – \(back.entity).\(back.relationship)", (index, row, mark(inverse)),
                        (backBox, backRow, mark(relationship)))
                } else {
                    boxes[destination].rows.append(DiagramRow(kind: .incoming, name: label, type: ""))
                    add(
                        label, (index, row, .none), (destination, boxes[destination].rows.count - 1, mark(relationship))
                    )
                }
            }
        }
    }

    /// The entity that declares a relationship and has its row.
    private func relationshipKey(_ relationship: NSRelationshipDescription, from destination: NSEntityDescription?)
        -> RelationshipKey?
    {
        var entity = relationship.owningEntity ?? destination
        while let current = entity {
            let key = RelationshipKey(entity: current.name ?? "", relationship: relationship.name)
            if rows[key] != nil { return key }
            entity = current.superentity
        }
        return nil
    }

    private func mark(_ relationship: NSRelationshipDescription) -> DiagramLine.Mark {
        relationship.isToMany ? .many(isOptional: relationship.isOptional) : .one(isOptional: relationship.isOptional)
    }

    private mutating func add(
        _ label: String, _ first: (box: Int, row: Int, mark: DiagramLine.Mark),
        _ second: (box: Int, row: Int, mark: DiagramLine.Mark)
    ) {
        lines.append(
            DiagramLine(
                kind: .relationship,
                ends: [first, second].map { DiagramLine.End(box: $0.box, row: $0.row, mark: $0.mark) }, label: label))
    }

    private mutating func addInheritance() {
        for (index, entity) in entities.enumerated() {
            let children = entities.indices.filter { entities[$0].superentityName == entity.name }
            guard !children.isEmpty else { continue }
            let ends =
                [DiagramLine.End(box: index, row: 0, mark: .parent)]
                + children.map { DiagramLine.End(box: $0, row: 1, mark: .none) }
            let names = children.map { boxes[$0].name }.joined(separator: ", ")
            lines.append(DiagramLine(kind: .inheritance, ends: ends, label: "\(names) : \(entity.name ?? "")"))
        }
    }
}
