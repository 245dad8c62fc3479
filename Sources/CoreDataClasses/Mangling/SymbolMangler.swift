// SPDX-License-Identifier: Apache-2.0

/// Builds the symbol names of Swift's accessors and methods.
///
/// It follows the compiler's stable mangling: a repeated part is written as the number of a substitution, neighbouring
/// substitutions are merged, and repeated words inside of names are written as letters. Tests compare the results with
/// symbols from the compiler.
struct SymbolMangler {
    private var bytes: [UInt8] = Array("$s".utf8)
    private var words: [(start: Int, count: Int)] = []
    private var names: [String: Int] = [:]
    private var types: [SymbolType: Int] = [:]
    private var nextNumber = 0
    private var last = (position: 0, size: 0, count: 0, isStandard: false)

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ text: String) { bytes += Array(text.utf8) }

    // MARK: Substitutions

    /// Merges a substitution with the one before it, as in `S2i` and `AAb`. False if they can't be merged.
    private mutating func merged(_ code: [UInt8], isStandard: Bool) -> Bool {
        if last.count > 0, last.count < 2048, bytes.count == last.position + last.size, last.isStandard == isStandard {
            let before = Array(bytes[last.position...].drop(while: SwiftLexer.isDigit))
            if before != code && !isStandard {
                let letter = bytes.removeLast()
                bytes.append(letter + 32)
                last.position = bytes.count
                last.count = 1
                last.size = 1
                bytes += code
                return true
            }
            if before == code {
                last.count += 1
                bytes.removeLast(bytes.count - last.position)
                append(String(last.count))
                bytes += code
                last.size = bytes.count - last.position
                return true
            }
        }
        last = (bytes.count + 1, code.count, 1, isStandard)
        return false
    }

    private mutating func substitute(_ number: Int) {
        guard number < 26 else {
            append(number == 26 ? "A_" : "A\(number - 27)_")
            return
        }
        let code = [UInt8(ascii: "A") + UInt8(number)]
        if !merged(code, isStandard: false) { bytes += [UInt8(ascii: "A")] + code }
    }

    private mutating func standard(_ code: String) {
        let code = Array(code.utf8)
        if !merged(code, isStandard: true) { bytes += [UInt8(ascii: "S")] + code }
    }

    private mutating func record(_ type: SymbolType) {
        types[type] = nextNumber
        nextNumber += 1
    }

    // MARK: Names

    mutating func name(_ name: String) {
        if let number = names[name] { return substitute(number) }
        names[name] = nextNumber
        nextNumber += 1
        // A name that is no ASCII identifier is encoded.
        if Punycode.isNeeded(name) {
            let encoded = Array(Punycode.encoded(name).utf8)
            append("00\(encoded.count)")
            if let first = encoded.first, SwiftLexer.isDigit(first) || first == UInt8(ascii: "_") { append("_") }
            bytes += encoded
            return
        }
        plainName(Array(name.utf8))
    }

    private mutating func plainName(_ name: [UInt8]) {
        var known = words.count
        var replacements = knownWords(in: name)
        if !replacements.isEmpty { append("0") }
        replacements.append((name.count, -1))
        var position = 0
        for (index, replacement) in replacements.enumerated() {
            if position < replacement.position {
                append(String(replacement.position - position))
                var isFirst = true
                repeat {
                    if known < words.count && words[known].start == position {
                        words[known].start = bytes.count
                        known += 1
                    }
                    // A digit would be part of the length.
                    if isFirst && SwiftLexer.isDigit(name[position]) {
                        append("X")
                    } else {
                        bytes.append(name[position])
                    }
                    position += 1
                    isFirst = false
                } while position < replacement.position
            }
            guard replacement.word >= 0 else { continue }
            position += words[replacement.word].count
            let isLast = index >= replacements.count - 2
            bytes.append(UInt8(ascii: isLast ? "A" : "a") + UInt8(replacement.word))
            if isLast && position == name.count { append("0") }
        }
    }

    /// Finds the words of a name. Known words are replaced; the other words are recorded, first with their position in
    /// the name.
    private mutating func knownWords(in name: [UInt8]) -> [(position: Int, word: Int)] {
        let known = words.count
        var replacements: [(position: Int, word: Int)] = []
        var start = -1
        for position in 0...name.count {
            let byte: UInt8 = position < name.count ? name[position] : 0
            if start >= 0
                && (byte == UInt8(ascii: "_") || byte == 0 || (!Self.isUpper(name[position - 1]) && Self.isUpper(byte)))
            {
                let word = name[start..<position]
                if let found = words.indices.first(where: { index in
                    let (start, count) = words[index]
                    let source = index < known ? bytes : name
                    return source[start..<start + count].elementsEqual(word)
                }) {
                    replacements.append((start, found))
                } else if word.count >= 2 && words.count < 26 {
                    words.append((start, word.count))
                }
                start = -1
            }
            if start < 0 && !SwiftLexer.isDigit(byte) && byte != UInt8(ascii: "_") && byte != 0 { start = position }
        }
        return replacements
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }

    // MARK: Types

    mutating func type(_ type: SymbolType) {
        switch type {
        case .standard(let code): standard(code)
        case .any: append("yp")
        case .anyObject: append("yXl")
        case .void: append("yt")
        case .optional(let wrapped):
            if let number = types[type] {
                substitute(number)
            } else {
                self.type(wrapped)
                append("Sg")
                record(type)
            }
        case .array(let element): bound(type, "a", [element])
        case .set(let element): bound(type, "h", [element])
        case .dictionary(let key, let value): bound(type, "D", [key, value])
        case .bound(let generic, let arguments):
            if let number = types[type] { return substitute(number) }
            self.type(generic)
            append("y")
            for argument in arguments { self.type(argument) }
            append("G")
            record(type)
        case .nominal(let parent, let module, let name, let kind, let discriminator):
            if let number = types[type] { return substitute(number) }
            if let parent { self.type(parent) } else { self.module(module) }
            self.name(name)
            if let discriminator {
                self.name(discriminator)
                append("LL")
            }
            append(String(kind))
            record(type)
        }
    }

    mutating func module(_ module: String) {
        if module == "Swift" { append("s") } else { name(module) }
    }

    private mutating func bound(_ type: SymbolType, _ code: String, _ arguments: [SymbolType]) {
        if let number = types[type] { return substitute(number) }
        standard(code)
        append("y")
        for argument in arguments { self.type(argument) }
        append("G")
        record(type)
    }
}

/// A member of a class, for its symbol name.
struct SymbolMember {
    let owner: SymbolType
    /// The module of the extension that declares the member, if it isn't the module of the class.
    let extensionModule: String?
    let name: String
    /// The discriminator of a private member. Only the outermost private declaration has one.
    let discriminator: String?

    private func begin() -> SymbolMangler {
        var mangler = SymbolMangler()
        mangler.type(owner)
        if let extensionModule {
            mangler.module(extensionModule)
            mangler.append("E")
        }
        return mangler
    }

    private func named(_ mangler: inout SymbolMangler) {
        mangler.name(name)
        if let discriminator {
            mangler.name(discriminator)
            mangler.append("LL")
        }
    }

    enum Accessor: String {
        case getter = "vg"
        case setter = "vs"
    }

    /// The symbol of a property's accessor.
    func accessor(_ accessor: Accessor, type: SymbolType) -> String {
        var mangler = begin()
        named(&mangler)
        mangler.type(type)
        mangler.append(accessor.rawValue)
        return mangler.text
    }

    /// The symbol of a method that returns nothing.
    func method(_ parameters: [(label: String?, type: SymbolType)]) -> String {
        var mangler = begin()
        named(&mangler)
        if !parameters.isEmpty {
            if parameters.allSatisfy({ $0.label == nil }) {
                mangler.append("y")
            } else {
                for parameter in parameters {
                    if let label = parameter.label { mangler.name(label) } else { mangler.append("_") }
                }
            }
        }
        mangler.append("y")
        if parameters.isEmpty {
            mangler.append("y")
        } else if parameters.count == 1 {
            mangler.type(parameters[0].type)
            if parameters[0].label != nil { mangler.append("_t") }
        } else {
            for (index, parameter) in parameters.enumerated() {
                mangler.type(parameter.type)
                if index == 0 { mangler.append("_") }
            }
            mangler.append("t")
        }
        mangler.append("F")
        return mangler.text
    }
}
