import ArgumentParser
import OpenCoreData

/// The formats in which rows can be printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv

    /// A formatter for rows with these columns; each of its lines goes to `print`.
    ///
    /// - Parameter noun: what a row is.
    func formatter(columns: [String], noun: String, print: @escaping (String) throws -> Void) -> any RecordFormatter {
        switch self {
        case .table: TableFormatter(columns: columns, noun: noun, print: { try print(TerminalText.visible($0)) })
        case .json: JSONFormatter(print: print)
        case .csv: CSVFormatter(columns: columns, print: print)
        }
    }
}

/// Prints rows one after the other.
protocol RecordFormatter: AnyObject {
    func add(_ record: OutputRecord) throws
    func finish() throws
}
