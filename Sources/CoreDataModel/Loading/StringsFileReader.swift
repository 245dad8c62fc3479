// SPDX-License-Identifier: Apache-2.0

/// Reads `.strings` files: `"key" = "value";` with comments and escapes, the same in braces, or a property list.
enum StringsFileReader {
    static func read(_ data: Data, from url: URL) throws -> [String: String] {
        if data.starts(with: Array("bplist".utf8)) { return try propertyList(data, url) }
        guard let text = decode(data) else { throw ModelFileError.corrupt(url, "it is neither UTF-8 nor UTF-16 text.") }
        if text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) == "<" {
            return try propertyList(Data(text.utf8), url)
        }
        var scanner = StringsFileScanner(text, url: url)
        return try scanner.read()
    }

    private static func propertyList(_ data: Data, _ url: URL) throws -> [String: String] {
        let list: PropertyListValue
        do {
            list = try PropertyListReader.read(data)
        } catch {
            throw ModelFileError.corrupt(url, error.localizedDescription)
        }
        guard let entries = list.dictionaryValue?.entries else {
            throw ModelFileError.corrupt(url, "it is not a dictionary.")
        }
        var strings: [String: String] = [:]
        for (key, value) in entries {
            guard let text = value.stringValue else {
                throw ModelFileError.corrupt(url, "the value of '\(key)' is not a string.", key: key)
            }
            strings[key] = text
        }
        return strings
    }

    /// Decodes UTF-16 with a byte order mark, or without one if one of the first two bytes is zero; otherwise UTF-8.
    private static func decode(_ data: Data) -> String? {
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) {
            return String(data: data, encoding: .utf16)
        }
        let start = Array(data.prefix(2))
        if start.count == 2, start[0] == 0 || start[1] == 0 {
            return String(data: data, encoding: start[0] == 0 ? .utf16BigEndian : .utf16LittleEndian)
        }
        return String(data: data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data, encoding: .utf8)
    }
}
