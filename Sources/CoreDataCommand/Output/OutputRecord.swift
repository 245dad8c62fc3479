// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// One row of output: values by name.
struct OutputRecord {
    /// The values of the columns.
    let cells: [(name: String, value: CellValue)]
    /// Values without a column, for formats whose rows have names.
    var details: [(name: String, value: CellValue)] = []
}

/// Makes rows from objects. The properties of an entity are sorted once, not for each row.
struct ObjectRecords {
    private var properties: [ObjectIdentifier: [NSPropertyDescription]] = [:]

    /// An object: its ID, then its stored properties, attributes first, then relationships, each sorted by name.
    mutating func record(of object: NSManagedObject) -> OutputRecord {
        let entity = object.entity
        let properties = self.properties[ObjectIdentifier(entity)] ?? Self.properties(of: entity)
        self.properties[ObjectIdentifier(entity)] = properties
        let values = properties.map { property -> (name: String, value: CellValue) in
            let value = object.value(forKey: property.name)
            return switch property {
            case let attribute as NSAttributeDescription: (property.name, CellValue(attribute: attribute, value: value))
            case let relationship as NSRelationshipDescription:
                (property.name, CellValue(relationship: relationship, value: value))
            default: (property.name, .none)
            }
        }
        return OutputRecord(
            cells: [("objectID", .reference(ObjectIDText(object.objectID)))] + values,
            details: [("entity", .text(entity.name ?? ""))])
    }

    /// The columns of an entity's objects.
    static func columns(of entity: NSEntityDescription) -> [String] {
        ["objectID"] + properties(of: entity).map(\.name)
    }

    /// The printed properties of an entity. Transient and fetched properties are not in the store.
    private static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let attributes: [NSPropertyDescription] = entity.storedAttributes
        return attributes + entity.storedRelationships
    }
}

/// The ID of an object as text: the complete URI, and the short form `Entity/p1`.
struct ObjectIDText: Comparable {
    private let id: NSManagedObjectID

    init(_ id: NSManagedObjectID) { self.id = id }

    /// Made without a URL where the name needs no escapes: making a URL takes longer than everything else in a row.
    var uri: String {
        guard let name = id.entity.name, let store = id.storeIdentity?.uuid,
            name.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 || $0 == 0x5f || 0x61...0x7a ~= $0 })
        else {
            guard id.entity.name?.contains("/") == true else { return id.uriRepresentation().absoluteString }
            let entity = PercentEncoding.encoded(id.entity.name ?? "")
            return "x-coredata://\(id.storeIdentity?.uuid ?? "")/\(entity)/p\(id.key)"
        }
        return "x-coredata://\(store)/\(name)/p\(id.key)"
    }

    var short: String { "\(id.entity.name ?? "")/p\(id.key)" }

    /// The order by entity, then by key as a number: `p9` is before `p10`.
    static func < (left: ObjectIDText, right: ObjectIDText) -> Bool {
        let (leftName, rightName) = (left.id.entity.name ?? "", right.id.entity.name ?? "")
        guard leftName == rightName else {
            return leftName.compare(rightName, options: .numeric) == .orderedAscending
        }
        return left.id.key < right.id.key
    }
}

/// The output formats of rows.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, jsonl, csv

    /// A formatter for rows.
    ///
    /// - Parameters:
    ///   - columns: the names of the columns.
    ///   - noun: the word for one row, for example "object".
    ///   - isVertical: whether a table has a line for each value.
    ///   - escapesFormulas: whether csv has an apostrophe before texts that a spreadsheet would take for formulas.
    ///   - width: the columns of the terminal; nil for a file or a pipe, for which no table is cut.
    ///   - print: prints one line.
    func formatter(
        columns: [String], noun: String, isVertical: Bool = false, escapesFormulas: Bool = false, width: Int? = nil,
        print: @escaping (String) throws -> Void
    ) -> any RecordFormatter {
        let printVisible = { (line: String) in try print(TerminalText.visible(line)) }
        return switch self {
        case .table where isVertical: VerticalFormatter(columns: columns, noun: noun, print: printVisible)
        case .table: TableFormatter(columns: columns, noun: noun, width: width, print: printVisible)
        case .json, .jsonl: JSONFormatter(isLines: self == .jsonl, print: print)
        case .csv: CSVFormatter(columns: columns, escapesFormulas: escapesFormulas, print: print)
        }
    }
}

/// Prints rows.
protocol RecordFormatter: AnyObject {
    func add(_ record: OutputRecord) throws
    /// Prints the rows that were added. More may follow.
    func finishPage() throws
    func finish() throws
}

extension RecordFormatter {
    func finishPage() throws {}
}
