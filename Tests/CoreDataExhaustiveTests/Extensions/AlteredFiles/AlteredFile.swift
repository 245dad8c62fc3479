import Foundation

/// A file of a store with one alteration.
struct AlteredFile {
    let name: String
    let bytes: () throws -> Data
}

/// The alterations of an XML file: each value of an XML attribute and each text replaced, each line removed, doubled or
/// exchanged with the next one.
enum AlteredXML {
    private static let values = [
        "", "0", "1", "-1", "1.5", "9223372036854775807", "9223372036854775808", "nan", "inf", "-1e400", "text", "AAEC",
        "&#0;", "&amp;lt;&#x1F600;", "z1", "z101", "z102", "z103", "z104 z105", "z106", "z9000", "z-1",
        "z9223372036854775807",
        "ITEM", "SPECIALITEM", "GROUP", "TAG", "int16", "bool", "double", "date", "decimal", "binary", "transformable",
        "uuid", "uri", "string", "name", "short", "place", "place.city", "group", "members", "ordered", "base64",
        "<object/>", "<!-- -->", "]]>", String(repeating: "9", count: 400), String(repeating: "<a>", count: 3000),
    ]

    static func all(_ file: Data) -> [AlteredFile] {
        let text = String(decoding: file, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var result: [AlteredFile] = []
        for (index, line) in lines.enumerated() {
            let place = "line \(index): \(line.trimmingCharacters(in: .whitespaces).prefix(60))"
            func altered(_ name: String, _ change: @escaping (inout [Substring]) -> Void) {
                result.append(
                    AlteredFile(name: "\(place) \(name)") {
                        var changed = lines
                        change(&changed)
                        return Data(changed.joined(separator: "\n").utf8)
                    })
            }
            altered("removed") { $0.remove(at: index) }
            altered("doubled") { $0.insert(line, at: index) }
            if index + 1 < lines.count { altered("exchanged") { $0.swapAt(index, index + 1) } }
            for range in valueRanges(line) {
                for value in values where value != line[range] {
                    altered("\(line[range].prefix(20)) = \(value.prefix(30))") {
                        $0[index] = Substring(line.replacingCharacters(in: range, with: value))
                    }
                }
            }
        }
        return result
    }

    /// The places of the values of XML attributes and of the text in a line.
    private static func valueRanges(_ line: Substring) -> [Range<Substring.Index>] {
        var ranges: [Range<Substring.Index>] = []
        var start = line.startIndex
        while let quote = line[start...].firstIndex(of: "\"") {
            let first = line.index(after: quote)
            guard let end = line[first...].firstIndex(of: "\"") else { break }
            ranges.append(first..<end)
            start = line.index(after: end)
        }
        if let open = line.firstIndex(of: ">"), let close = line[open...].firstIndex(of: "<") {
            ranges.append(line.index(after: open)..<close)
        }
        return ranges
    }
}

/// The alterations of a property list: each value replaced by values of all types, removed, doubled, and each key
/// renamed.
/// Data that is a property list itself is altered within, too.
enum AlteredPropertyList {
    private static var values: [Any] {
        [
            true, 0, -1, 1, 3, 101, 105, 106, Int64.max, Int64.min, 1.5, Double.nan, Double.infinity, "", "text", "NaN",
            "1", "a\u{0}b",
            Data(), Data([1, 2, 3]), Date(timeIntervalSinceReferenceDate: 0),
            Date(timeIntervalSinceReferenceDate: 1e300),
            [Any](), [1], ["text"], [[Data()]], [String: Any](), ["name": 1], ["name": "text"],
            (0..<20).reduce([] as [Any]) { inner, _ in [inner] },
        ]
    }

    private static let keys = ["", "x", "name", "short", "place", "place.city", "group", "members", "Item", "Tag"]

    static func all(_ file: Data) throws -> [AlteredFile] {
        let root = try PropertyListSerialization.propertyList(from: file, options: [], format: nil)
        var result: [AlteredFile] = []
        walk(root, path: "", depth: 0) { name, changed in
            result.append(
                AlteredFile(name: name) {
                    try PropertyListSerialization.data(fromPropertyList: changed(), format: .binary, options: 0)
                })
        }
        return result
    }

    /// Reports alterations of a value, each as the value that takes its place.
    private static func walk(
        _ value: Any, path: String, depth: Int, _ report: (String, @escaping () throws -> Any) -> Void
    ) {
        if depth > 0 {
            for (index, other) in values.enumerated() { report("\(path) = odd value \(index)") { other } }
        }
        switch value {
        case let dictionary as [String: Any]:
            for (key, child) in dictionary.sorted(by: { $0.key < $1.key }) {
                walk(child, path: "\(path).\(key)", depth: depth + 1) { name, changed in
                    report(name) { try dictionary.merging([key: changed()]) { $1 } }
                }
                var rest = dictionary
                rest[key] = nil
                report("\(path).\(key) removed") { rest }
                for other in keys where other != key {
                    report("\(path).\(key) renamed to \(other)") { rest.merging([other: child]) { $1 } }
                }
            }
        case let array as [Any]:
            for (index, child) in array.enumerated() {
                func replaced(_ by: [Any]) -> [Any] { Array(array[..<index]) + by + Array(array[(index + 1)...]) }
                walk(child, path: "\(path)[\(index)]", depth: depth + 1) { name, changed in
                    report(name) { replaced([try changed()]) }
                }
                report("\(path)[\(index)] removed") { replaced([]) }
                report("\(path)[\(index)] doubled") { replaced([child, child]) }
            }
        case let data as Data:
            guard let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
                list is [String: Any]
            else { return }
            walk(list, path: "\(path)(data)", depth: depth) { name, changed in
                report(name) {
                    try PropertyListSerialization.data(fromPropertyList: changed(), format: .binary, options: 0)
                }
            }
        default: break
        }
    }
}
