/// Reads `.strings` files: `"key" = "value";` with comments and escapes, or the same as a property list.
enum StringsFileReader {
    static func read(_ data: Data, from url: URL) throws -> [String: String] {
        if data.starts(with: Array("bplist".utf8)) || data.starts(with: Array("<?xml".utf8)) {
            return try propertyList(data, url)
        }
        guard let text = decode(data) else { throw ModelFileError.corrupt(url, "it is neither UTF-8 nor UTF-16 text.") }
        var scanner = Scanner(characters: Array(text), url: url)
        return try scanner.read()
    }

    private static func propertyList(_ data: Data, _ url: URL) throws -> [String: String] {
        do {
            var strings: [String: String] = [:]
            for (key, value) in try PropertyListReader.read(data).dictionaryValue?.entries ?? [] {
                strings[key] = value.stringValue
            }
            return strings
        } catch {
            throw ModelFileError.corrupt(url, error.localizedDescription)
        }
    }

    private static func decode(_ data: Data) -> String? {
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) { return String(data: data, encoding: .utf16) }
        return String(data: data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data, encoding: .utf8)
    }

    private struct Scanner {
        let characters: [Character]
        let url: URL
        var position = 0
        var line = 1

        mutating func read() throws -> [String: String] {
            var strings: [String: String] = [:]
            try skipSpace()
            while position < characters.count {
                let key = try string()
                try skipSpace()
                var value = key
                if peek == "=" {
                    advance()
                    try skipSpace()
                    value = try string()
                    try skipSpace()
                }
                guard peek == ";" else { throw failure("';' is missing") }
                advance()
                strings[key] = value
                try skipSpace()
            }
            return strings
        }

        private var peek: Character? { position < characters.count ? characters[position] : nil }

        private mutating func advance() {
            if characters[position].isNewline { line += 1 }
            position += 1
        }

        private mutating func skipSpace() throws {
            while let character = peek {
                if character.isWhitespace {
                    advance()
                } else if character == "/", position + 1 < characters.count, characters[position + 1] == "/" {
                    while let next = peek, !next.isNewline { _ = next; advance() }
                } else if character == "/", position + 1 < characters.count, characters[position + 1] == "*" {
                    advance()
                    advance()
                    while !(peek == "*" && position + 1 < characters.count && characters[position + 1] == "/") {
                        guard peek != nil else { throw failure("a comment doesn't end") }
                        advance()
                    }
                    advance()
                    advance()
                } else {
                    return
                }
            }
        }

        private mutating func string() throws -> String {
            guard peek == "\"" else { return try bareWord() }
            advance()
            var text = ""
            while let character = peek {
                advance()
                if character == "\"" { return text }
                text.append(character == "\\" ? try escape() : character)
            }
            throw failure("a string doesn't end")
        }

        private mutating func bareWord() throws -> String {
            var text = ""
            while let character = peek, character.isLetter || character.isNumber || "_-./".contains(character) {
                text.append(character)
                advance()
            }
            guard !text.isEmpty else { throw failure("a string is missing") }
            return text
        }

        private mutating func escape() throws -> Character {
            guard let character = peek else { throw failure("a string doesn't end") }
            advance()
            switch character {
            case "n": return "\n"
            case "t": return "\t"
            case "r": return "\r"
            case "U", "u":
                let digits = String(characters[position..<min(position + 4, characters.count)])
                guard digits.count == 4, let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
                    throw failure("'\\\(character)' isn't followed by four hexadecimal digits of a character")
                }
                position += 4
                return Character(scalar)
            default: return character
            }
        }

        private func failure(_ reason: String) -> CocoaError { ModelFileError.corrupt(url, "\(reason) (line \(line)).") }
    }
}
