import ArgumentParser
import OpenCoreData

/// One row of output: values by name.
struct OutputRecord {
    /// The values of the columns.
    let cells: [(name: String, value: CellValue)]
    /// Values without a column, for formats whose rows have names.
    var details: [(name: String, value: CellValue)] = []
}

extension OutputRecord {
    /// An object: its ID, then its stored properties, attributes first, then relationships, each sorted by name.
    init(_ object: NSManagedObject) {
        let values = Self.properties(of: object.entity).map { property -> (name: String, value: CellValue) in
            let value = object.value(forKey: property.name)
            return switch property {
            case let attribute as NSAttributeDescription: (property.name, CellValue(attribute: attribute, value: value))
            case let relationship as NSRelationshipDescription:
                (property.name, CellValue(relationship: relationship, value: value))
            default: (property.name, .none)
            }
        }
        cells = [("objectID", .reference(ObjectIDText(object.objectID)))] + values
        details = [("entity", .text(object.entity.name ?? ""))]
    }

    /// The columns of an entity's objects.
    static func columns(of entity: NSEntityDescription) -> [String] {
        ["objectID"] + properties(of: entity).map(\.name)
    }

    /// The printed properties of an entity. Transient and fetched properties are not in the store.
    private static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let attributes: [NSPropertyDescription] = Array(entity.attributesByName.values)
        let relationships: [NSPropertyDescription] = Array(entity.relationshipsByName.values)
        return [attributes, relationships].flatMap { group in
            group.filter { !$0.isTransient }.sorted { $0.name < $1.name }
        }
    }
}

/// The ID of an object as text: the complete URI, and the short form `Entity/p1`.
struct ObjectIDText: Comparable {
    let uri: String
    let short: String

    init(_ id: NSManagedObjectID) {
        let url = id.uriRepresentation()
        uri = url.absoluteString
        short = url.pathComponents.suffix(2).joined(separator: "/")
    }

    /// The order by entity, then by key as a number: `p9` is before `p10`.
    static func < (left: ObjectIDText, right: ObjectIDText) -> Bool {
        left.short.compare(right.short, options: .numeric) == .orderedAscending
    }
}

/// The output formats of rows.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv

    /// A formatter for rows.
    ///
    /// - Parameters:
    ///   - columns: the names of the columns.
    ///   - noun: the word for one row, for example "object".
    ///   - print: prints one line.
    func formatter(columns: [String], noun: String, print: @escaping (String) throws -> Void) -> any RecordFormatter {
        switch self {
        case .table: TableFormatter(columns: columns, noun: noun, print: { try print(TerminalText.visible($0)) })
        case .json: JSONFormatter(print: print)
        case .csv: CSVFormatter(columns: columns, print: print)
        }
    }
}

/// Prints rows.
protocol RecordFormatter: AnyObject {
    func add(_ record: OutputRecord) throws
    func finish() throws
}
