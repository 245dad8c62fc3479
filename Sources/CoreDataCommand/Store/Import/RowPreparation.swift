// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Gives the values of rows the types of the model.
final class RowPreparation {
    private let store: ReadOnlyStore
    private let columns: ImportColumns
    private let references: ImportReferences
    /// The places of names, by entity.
    private var known: [String: [String: ImportColumn]] = [:]

    init(store: ReadOnlyStore, columns: ImportColumns, isOfSameStore: Bool) {
        self.store = store
        self.columns = columns
        references = ImportReferences(store: store, isOfSameStore: isOfSameStore)
    }

    /// Checks the names of the columns of a CSV file, before a row is read.
    func check(header: [String], line: Int) throws {
        if let twice = Dictionary(grouping: header, by: { $0 }).filter({ $0.value.count > 1 }).keys.min() {
            throw ImportFault(line: line, text: "two columns have the name '\(ObjectLabel.cut(twice, to: 100))'.")
        }
        do {
            for name in header { _ = try column(name, of: columns.entity) }
        } catch let mistake as ImportMistake {
            var text = mistake.text
            for (character, name) in [(";", ";"), ("\t", "tab"), ("|", "|")]
            where header.count == 1 && header[0].contains(character) {
                text = "the header has no comma. Give the character between columns by --delimiter '\(name)'"
            }
            throw ImportFault(line: line, text: "\(text).")
        }
    }

    /// - Throws: `ImportMistake` for a row that can't be used.
    func prepare(_ row: ImportRow) throws -> PreparedRow {
        if let problem = row.problem { throw ImportMistake(problem.hasSuffix(".") ? "\(problem.dropLast())" : problem) }
        var entity = columns.entity
        var id: NSManagedObjectID?
        for (name, value) in row.values {
            switch try column(name, of: columns.entity, orBelow: true) {
            case .objectID?:
                guard let found = try references.object(value) else { break }
                id = found.id
                entity = try self.entity(found.entity)
            case .entity?:
                if let text = value.string { entity = try self.entity(text) }
            default: break
            }
        }
        var prepared = PreparedRow(line: row.line, entity: entity, id: id)
        for (name, value) in row.values {
            do {
                switch try column(name, of: entity) {
                case .attribute(let attribute):
                    prepared.attributes.append((attribute, try ImportedAttribute.value(value, for: attribute)))
                case .relationship(let relationship, let key):
                    prepared.relationships.append(
                        (relationship, try references.members(value, of: relationship, by: key)))
                case .objectID, .entity, .ignored: break
                }
            } catch let mistake as ImportMistake {
                throw ImportMistake(entity.propertiesByName[name] == nil ? mistake.text : "\(name): \(mistake.text)")
            }
        }
        return prepared
    }

    private func entity(_ name: String) throws -> NSEntityDescription {
        let entity = store.coordinator.managedObjectModel.entitiesByName[name]
        guard let entity, entity.isKindOf(entity: columns.entity) else {
            throw ImportMistake("'\(ObjectLabel.cut(name, to: 100))' is no \(columns.entity.name ?? "")")
        }
        return entity
    }

    private func column(_ name: String, of entity: NSEntityDescription) throws -> ImportColumn {
        let owner = entity.name ?? ""
        if let column = known[owner]?[name] { return column }
        let column = try columns.column(name, of: entity)
        known[owner, default: [:]][name] = column
        return column
    }

    /// The place of a name; nil if only a subentity may have it.
    private func column(_ name: String, of entity: NSEntityDescription, orBelow: Bool) throws -> ImportColumn? {
        do { return try column(name, of: entity) } catch is ImportMistake { return nil }
    }
}
