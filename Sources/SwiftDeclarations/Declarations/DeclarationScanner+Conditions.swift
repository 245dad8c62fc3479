// SPDX-License-Identifier: Apache-2.0

extension DeclarationScanner {
    /// An open `#if` block: the conditions of its earlier parts, and of the current one.
    struct ConditionalBlock {
        var earlier: [String]
        var current: String
        var condition: String {
            (earlier.map { "!(\($0))" } + (current.isEmpty ? [] : ["(\(current))"])).joined(separator: " && ")
        }
    }

    /// Reads `#if`, `#elseif`, `#else` or `#endif`. False for another name after `#`.
    mutating func directive(_ token: SwiftToken) -> Bool {
        if source.isWritten(token, "#if") {
            if conditionalMarks(at: index) != nil { return false }
            index += 1
            guard conditionals.count < Self.depthLimit else {
                diagnose(
                    at: token.start,
                    "#if is nested more than \(Self.depthLimit) times: the rest of the file is not read")
                index = source.tokens.count
                return true
            }
            conditionals.append(ConditionalBlock(earlier: [], current: condition()))
        } else if source.isWritten(token, "#elseif") {
            index += 1
            let next = condition()
            guard var block = conditionals.popLast() else { return true }
            block.earlier.append(block.current)
            block.current = next
            conditionals.append(block)
        } else if source.isWritten(token, "#else") {
            index += 1
            guard var block = conditionals.popLast() else { return true }
            block.earlier.append(block.current)
            block.current = ""
            conditionals.append(block)
        } else if source.isWritten(token, "#endif") {
            index += 1
            _ = conditionals.popLast()
        } else {
            return false
        }
        return true
    }

    /// The condition at the index: to the end of the line, or of a line that an operator continues.
    mutating func condition() -> String {
        let start = index
        var open = 0
        while let token {
            let isContinued =
                open > 0 || index == start || isAt("&") || isAt("|") || source.isWritten(source.tokens[index - 1], "&")
                || source.isWritten(source.tokens[index - 1], "|")
            if token.startsLine && !(isContinued && index > start) { break }
            if isAt("(") { open += 1 }
            if isAt(")") { open -= 1 }
            index += 1
        }
        return source.text(ofTokens: start..<index)
    }

    /// The attributes of an `#if` block that contains attributes only, and the index after its `#endif`.
    func conditionalMarks(at start: Int) -> (marks: [DeclarationMark], end: Int)? {
        var reader = self
        reader.index = start
        var marks: [DeclarationMark] = []
        while let token = reader.token {
            if token.kind == .pound {
                if source.isWritten(token, "#endif") { return marks.isEmpty ? nil : (marks, reader.index + 1) }
                guard
                    source.isWritten(token, "#if") && reader.index == start || source.isWritten(token, "#else")
                        || source.isWritten(token, "#elseif")
                else { return nil }
                reader.index += 1
                if !source.isWritten(token, "#else") { _ = reader.condition() }
            } else if reader.isAt("@"), var mark = reader.attribute() {
                mark.isConditional = true
                marks.append(mark)
            } else {
                return nil
            }
        }
        return nil
    }
}
