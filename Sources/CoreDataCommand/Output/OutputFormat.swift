import ArgumentParser
import OpenCoreData

/// The formats in which objects can be printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv

    /// A formatter for objects of `entity`; each of its lines goes to `print`.
    func formatter(for entity: NSEntityDescription, print: @escaping (String) throws -> Void) -> any ObjectFormatter {
        let columns = ObjectRecord.properties(of: entity).map(\.name)
        return switch self {
        case .table: TableFormatter(columns: columns, print: { try print(TerminalText.visible($0)) })
        case .json: JSONFormatter(print: print)
        case .csv: CSVFormatter(columns: columns, print: print)
        }
    }
}

/// Prints objects one after the other.
protocol ObjectFormatter: AnyObject {
    func add(_ record: ObjectRecord) throws
    func finish() throws
}
