// SPDX-License-Identifier: Apache-2.0

/// Parses types.
struct TypeParser {
    private static let depthLimit = 64

    let source: LexedSource
    private(set) var index: Int
    private var depth = 0

    init(source: LexedSource, at index: Int) {
        self.source = source
        self.index = index
    }

    private var token: SwiftToken? { index < source.tokens.count ? source.tokens[index] : nil }

    private func isAt(_ text: StaticString) -> Bool { token.map { source.isWritten($0, text) } ?? false }

    private mutating func consume(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        index += 1
        return true
    }

    /// Reads the type at the index, and moves the index after it. Nil if there is none.
    mutating func type() -> TypeSyntax? {
        guard depth < Self.depthLimit else { return nil }
        depth += 1
        defer { depth -= 1 }
        let start = index
        skipAttributes()
        let isExistential = isAt("any") || isAt("some")
        if isExistential { index += 1 }
        guard var result = postfix() else { return nil }
        if isAt("&") {
            while consume("&") { guard postfix() != nil else { return nil } }
            result = .other(text(from: start))
        }
        if arrow() {
            guard type() != nil else { return nil }
            return .other(text(from: start))
        }
        return isExistential && result.path != nil ? .existential(result) : result
    }

    /// Skips `async`, `throws` and the arrow of a function's type.
    private mutating func arrow() -> Bool {
        let start = index
        while isAt("async") || isAt("throws") || isAt("rethrows") { index += 1 }
        if isAt("-"), index + 1 < source.tokens.count, source.isWritten(source.tokens[index + 1], ">") {
            index += 2
            return true
        }
        index = start
        return false
    }

    private mutating func skipAttributes() {
        while let token {
            if isAt("@"), index + 1 < source.tokens.count {
                index += 2
                if isAt("("), let next = self.token, !next.followsSpace { index = source.endOfBalanced(from: index) }
            } else if token.kind == .identifier,
                ["inout", "__owned", "__shared", "borrowing", "consuming", "sending", "isolated"].contains(
                    source.text(token)),
                index + 1 < source.tokens.count,
                source.tokens[index + 1].kind != .punctuation || source.isWritten(source.tokens[index + 1], "[")
                    || source.isWritten(source.tokens[index + 1], "(")
            {
                index += 1
            } else {
                return
            }
        }
    }

    private mutating func postfix() -> TypeSyntax? {
        guard var result = primary() else { return nil }
        while let token, !token.startsLine {
            if isAt("?") || isAt("!") {
                guard !token.followsSpace else { break }
                index += 1
                result = .optional(result)
            } else if isAt("."), index + 1 < source.tokens.count, case let next = source.tokens[index + 1],
                source.isWritten(next, "Type") || source.isWritten(next, "Protocol")
            {
                index += 2
                result = .other("metatype")
            } else {
                break
            }
        }
        return result
    }

    private mutating func primary() -> TypeSyntax? {
        let start = index
        if consume("[") {
            guard let first = type() else { return nil }
            if consume(":") {
                guard let second = type(), consume("]") else { return nil }
                return .dictionary(first, second)
            }
            guard consume("]") else { return nil }
            return .array(first)
        }
        if isAt("(") {
            index += 1
            if consume(")") { return .void }
            if let inner = type(), consume(")") { return inner }
            index = source.endOfBalanced(from: start)
            return .other(text(from: start))
        }
        return name()
    }

    private mutating func name() -> TypeSyntax? {
        var components: [TypeSyntax.Component] = []
        while let token, token.kind == .identifier || token.kind == .quotedIdentifier {
            index += 1
            var arguments: [TypeSyntax] = []
            if isAt("<") {
                guard let list = argumentList() else { return nil }
                arguments = list
            }
            components.append(TypeSyntax.Component(name: source.name(token), arguments: arguments))
            guard isAt("."), index + 1 < source.tokens.count, case let next = source.tokens[index + 1],
                next.kind == .identifier || next.kind == .quotedIdentifier,
                !source.isWritten(next, "Type"), !source.isWritten(next, "Protocol")
            else { break }
            index += 1
        }
        return components.isEmpty ? nil : .named(components)
    }

    /// Moves the index after `<…>`. False if no list of types is there.
    mutating func genericArguments() -> Bool { argumentList() != nil }

    private mutating func argumentList() -> [TypeSyntax]? {
        guard consume("<") else { return nil }
        var arguments: [TypeSyntax] = []
        repeat {
            guard let argument = type() else { return nil }
            arguments.append(argument)
        } while consume(",")
        return consume(">") ? arguments : nil
    }

    private func text(from start: Int) -> String { source.text(ofTokens: start..<index) }
}

extension LexedSource {
    /// The bytes from the first token to the last one; nil for no tokens.
    func range(ofTokens range: Range<Int>) -> Range<Int>? {
        guard !range.isEmpty, range.upperBound <= tokens.count else { return nil }
        return tokens[range.lowerBound].start..<tokens[range.upperBound - 1].end
    }

    /// The tokens as text in one line, with single spaces in place of white space.
    package func text(ofTokens range: Range<Int>) -> String {
        var result = ""
        for index in range {
            let token = tokens[index]
            if index > range.lowerBound && token.followsSpace { result += " " }
            result += text(token)
        }
        return result
    }
}
