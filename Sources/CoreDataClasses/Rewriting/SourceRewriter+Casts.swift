// SPDX-License-Identifier: Apache-2.0

extension SourceRewriter {
    /// `request as! NSFetchRequest<Song>` becomes `NSFetchRequest<Song>.cast(request)!`, and `request is
    /// NSFetchRequest<Song>` becomes `(NSFetchRequest<Song>.cast(request) != nil)`.
    ///
    /// Without Objective-C, fetch requests of different result types are of different classes, and the cast would fail.
    mutating func rewriteCast(at index: Int) {
        guard let name = source.castType(at: index), let end = endOfGenericArguments(from: name + 1),
            let start = startOfOperand(before: index)
        else {
            return diagnose(
                at: source.tokens[index].start,
                "the value before this cast can't be read: write NSFetchRequest<…>.cast(value)")
        }
        usesFramework = true
        let isTest = isWritten("is", at: index)
        let type = index + (isTest ? 1 : 2)
        let offset = source.tokens[start].start
        replace(offset..<offset, "\(isTest ? "(" : "")\(source.text(ofTokens: type..<end)).cast(")
        let range = source.tokens[index - 1].end..<source.tokens[end - 1].end
        let result = isTest ? " != nil)" : isWritten("!", at: index + 1) ? "!" : ""
        replace(range, ")\(result)\(lineBreaks(in: range))")
        skippedEnd = source.tokens[end - 1].end
    }

    /// The index after the `>` that closes the `<` at an index.
    private func endOfGenericArguments(from start: Int) -> Int? {
        var open = 0
        var position = start
        while position < source.tokens.count {
            if isWritten("<", at: position) { open += 1 }
            if isWritten(">", at: position) { open -= 1 }
            position += 1
            if open == 0 { return position }
            if position - start > 64 { break }
        }
        return nil
    }

    /// The first token of the postfix expression before an operator: `self.request(of: a)?.copy()`.
    private func startOfOperand(before index: Int) -> Int? {
        var position = index - 1
        while position >= 0 {
            let token = source.tokens[position]
            switch token.kind {
            case .punctuation
            where isWritten(")", at: position) || isWritten("]", at: position)
                || isWritten("}", at: position):
                guard let open = source.startOfBalanced(to: position) else { return nil }
                position = open
                let isCall = position > 0 && !isOperandStart(position)
                if !isCall { return position }
                position -= 1
            case .operatorCharacter where isWritten("?", at: position) || isWritten("!", at: position):
                position -= 1
            case .operatorCharacter where isWritten(">", at: position):
                guard let open = source.startOfGenericArguments(to: position) else { return nil }
                position = open - 1
            case .identifier, .quotedIdentifier, .number, .string, .pound:
                guard position > 0, isWritten(".", at: position - 1) else { return position }
                // The dot of an implicit member has no operand.
                guard position > 1, !source.tokens[position - 1].followsSpace || source.tokens[position - 1].startsLine
                else { return position - 1 }
                position -= 2
            default: return nil
            }
        }
        return nil
    }

    /// Whether the bracket at an index begins an expression, and doesn't continue the one before it.
    private func isOperandStart(_ index: Int) -> Bool {
        let before = source.tokens[index - 1]
        if isWritten("{", at: index) { return false }
        if source.tokens[index].followsSpace { return true }
        switch before.kind {
        case .identifier, .quotedIdentifier: return false
        case .punctuation: return !(isWritten(")", at: index - 1) || isWritten("]", at: index - 1))
        case .operatorCharacter:
            return !(isWritten(">", at: index - 1) || isWritten("?", at: index - 1) || isWritten("!", at: index - 1))
        default: return true
        }
    }
}

extension LexedSource {
    /// The index of the opening bracket for the closing bracket at an index.
    func startOfBalanced(to end: Int) -> Int? { bracketStarts[end] }

    /// The index of the `<` for the `>` at an index.
    func startOfGenericArguments(to end: Int) -> Int? {
        var open = 0
        for position in stride(from: end, through: max(0, end - 64), by: -1) {
            if isWritten(tokens[position], ">") { open += 1 }
            if isWritten(tokens[position], "<") { open -= 1 }
            if open == 0 { return position }
        }
        return nil
    }

    /// The tokens between two positions as text in one line.
    func text(inOffsets range: Range<Int>) -> String {
        guard let first = tokens.firstIndex(where: { $0.start >= range.lowerBound }) else { return "" }
        let end = tokens[first...].firstIndex { $0.end > range.upperBound } ?? tokens.count
        return text(ofTokens: first..<end)
    }
}
