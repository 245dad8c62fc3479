/// Prepares XML from outside for Linux's `XMLParser`, which stops the program on names that are no UTF-8.
///
/// The parser gets valid UTF-8 only, without an encoding declaration that says otherwise, and no entity definitions,
/// whose expansion a hostile file could make endless. It is to be given as a stream: of a document in one piece, the
/// parser refuses more than ten million bytes.
package enum XMLInput {
    /// Why a file isn't given to the parser.
    package struct Refusal: Error {
        package let reason: String
    }

    package static func sound(_ data: Data) throws -> Data {
        let text: String
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) {
            guard let decoded = String(data: data, encoding: .utf16) else {
                throw Refusal(reason: "it is no valid UTF-16 text")
            }
            text = decoded
        } else {
            let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
            guard let decoded = String(validating: bytes, as: UTF8.self) else {
                throw Refusal(reason: "it is no valid UTF-8 text")
            }
            text = decoded
        }
        if text.utf8.contains(0) { throw Refusal(reason: "it contains a zero byte") }
        if text.contains("<!ENTITY") { throw Refusal(reason: "it defines entities, which no such file needs") }
        return Data(withoutDeclaration(text).utf8)
    }

    /// The line ends of the declaration stay, so that line numbers in messages are right.
    private static func withoutDeclaration(_ text: String) -> String {
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>") else { return text }
        return String(text[..<end.lowerBound].filter(\.isNewline)) + text[end.upperBound...]
    }
}
