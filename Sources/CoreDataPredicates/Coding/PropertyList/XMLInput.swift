// SPDX-License-Identifier: Apache-2.0

/// Prepares untrusted XML for `XMLParser`, which on Linux stops the program at names that aren't valid UTF-8.
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
        return Data(withoutDeclaration(text).utf8)
    }

    /// Removes the XML declaration except its line breaks, so that line numbers in messages are correct.
    private static func withoutDeclaration(_ text: String) -> String {
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>") else { return text }
        return String(text[..<end.lowerBound].filter(\.isNewline)) + text[end.upperBound...]
    }
}
