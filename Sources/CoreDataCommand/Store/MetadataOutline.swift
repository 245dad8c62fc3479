import OpenCoreData

/// The metadata of a store as lines `KEY: VALUE`, sorted; the version hashes only counted
/// (`coredata model hashes` prints them).
struct MetadataOutline {
    let metadata: [String: Any]

    var lines: [String] {
        metadata.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.text(of: $0.value))" }
    }

    private static func text(of value: Any) -> String {
        switch value {
        case let data as Data: "\(data.count) bytes"
        case let text as String: text
        case let number as NSNumber: number.stringValue
        case let date as Date: CellValue.text(of: date)
        case let hashes as [String: Data]: "\(hashes.count) entities"
        case let members as [Any]: "[" + members.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let members as [String: Any]:
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
                + "}"
        default: String(describing: value)
        }
    }
}
