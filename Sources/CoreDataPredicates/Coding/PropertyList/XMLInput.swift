// SPDX-License-Identifier: Apache-2.0

/// Prepares untrusted XML for `XMLParser`, which on Linux stops the program at names that aren't valid UTF-8, and at
/// processing instructions without data.
///
/// The result is valid UTF-8 without an encoding declaration. Entity definitions are refused, as their expansion may be
/// endless. Give the result to the parser as a stream: it refuses documents of more than ten million bytes in one
/// piece.
package enum XMLInput {
    /// The error of a file that must not be parsed.
    package struct InvalidInput: Error {
        package let reason: String
    }

    /// The document as valid UTF-8.
    ///
    /// - Throws: ``InvalidInput`` for other encodings, zero bytes and entity definitions.
    package static func validated(_ data: Data) throws -> Data {
        let text: String
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) {
            guard let decoded = String(data: data, encoding: .utf16) else {
                throw InvalidInput(reason: "it is no valid UTF-16 text")
            }
            text = decoded
        } else {
            let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
            guard let decoded = String(validating: bytes, as: UTF8.self) else {
                throw InvalidInput(reason: "it is no valid UTF-8 text")
            }
            text = decoded
        }
        if text.utf8.contains(0) { throw InvalidInput(reason: "it contains a zero byte") }
        if text.contains("<!ENTITY") { throw InvalidInput(reason: "it defines entities, which aren't allowed") }
        return withDataInInstructions(Data(withoutDeclaration(text).utf8))
    }

    /// Inserts a space into each processing instruction without data, such as `<?name?>`: then it has data.
    private static func withDataInInstructions(_ data: Data) -> Data {
        guard data.range(of: Data("<?".utf8)) != nil else { return data }
        let bytes = Array(data)
        var (result, index) = (Data(capacity: bytes.count + 8), 0)
        func end(of mark: String, from start: Int) -> Int? {
            let mark = Array(mark.utf8)
            var place = start
            while place + mark.count <= bytes.count {
                if bytes[place..<place + mark.count].elementsEqual(mark) { return place + mark.count }
                place += 1
            }
            return nil
        }
        func begins(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }
        while index < bytes.count {
            let start = index
            if begins("<!--") {
                index = end(of: "-->", from: index + 4) ?? bytes.count
            } else if begins("<![CDATA[") {
                index = end(of: "]]>", from: index + 9) ?? bytes.count
            } else if begins("<?") {
                let close = end(of: "?>", from: index + 2)
                index = close ?? bytes.count
                if let close, !bytes[start..<close].contains(where: { [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
                    result.append(contentsOf: bytes[start..<close - 2])
                    result.append(contentsOf: " ?>".utf8)
                    continue
                }
            } else {
                index = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            }
            result.append(contentsOf: bytes[start..<index])
        }
        return result
    }

    /// Removes the XML declaration except its line breaks, so that line numbers in messages are correct.
    private static func withoutDeclaration(_ text: String) -> String {
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>") else { return text }
        return String(text[..<end.lowerBound].filter(\.isNewline)) + text[end.upperBound...]
    }
}
