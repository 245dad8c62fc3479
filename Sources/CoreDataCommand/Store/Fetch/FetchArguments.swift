// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// One column of `--fetch`: a key path or an expression, and a name. The default name is the text of the expression.
struct FetchColumn {
    let name: String
    let expression: NSExpression
    /// The expression's text.
    let text: String

    /// Parses `[NAME=]EXPRESSION,…`. Commas in parentheses, braces and quotes are part of an expression.
    static func parse(_ text: String) throws -> [FetchColumn] {
        let columns = try parts(of: text).map(column)
        if let name = Dictionary(grouping: columns, by: \.name).first(where: { $0.value.count > 1 })?.key {
            throw ValidationError("Two columns have the name '\(name)'. Add names, for example a=artist.name.")
        }
        return columns
    }

    private static func column(_ part: String) throws -> FetchColumn {
        var name = part
        var text = part
        if let sign = part.firstIndex(of: "="), !part[part.index(after: sign)...].hasPrefix("="), isName(part[..<sign])
        {
            name = String(part[..<sign])
            text = String(part[part.index(after: sign)...])
        }
        guard !text.isEmpty else {
            throw ValidationError("'\(part)' is no column. Use EXPRESSION or NAME=EXPRESSION, separated by commas.")
        }
        do {
            return FetchColumn(name: name, expression: try NSExpression.parse(text), text: text)
        } catch {
            throw ValidationError("The column '\(text)' is invalid: \(error)")
        }
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Character?
        for character in text {
            switch character {
            case _ where quote != nil: if character == quote { quote = nil }
            case "'", "\"": quote = character
            case "(", "{", "[": depth += 1
            case ")", "}", "]": depth -= 1
            case "," where depth <= 0:
                parts.append("")
                continue
            default: break
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The column for a fetch request.
    var description: NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        return description
    }

    /// The attribute whose values the column has, and which gives their type; nil for a column that is computed.
    func attribute(of entity: NSEntityDescription) -> NSAttributeDescription? {
        guard expression.expressionType == .keyPath else { return nil }
        return try? KeyPathCheck(entity: entity).property(at: expression.keyPath) as? NSAttributeDescription
    }

    /// The value of the column in a result.
    func cell(in result: NSDictionary, as attribute: NSAttributeDescription?) -> CellValue {
        let value = result[name]
        return attribute.map { CellValue(attribute: $0, value: value) } ?? CellValue(value: value)
    }
}

/// One key of `--sort`: a key path, ascending unless `:desc` follows.
struct SortKey {
    let keyPath: String
    let isAscending: Bool

    var descriptor: NSSortDescriptor { NSSortDescriptor(key: keyPath, ascending: isAscending) }

    /// Parses `KEY[:asc|:desc],…`.
    static func parse(_ text: String) throws -> [SortKey] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let pieces = part.split(separator: ":", omittingEmptySubsequences: false)
            let direction = pieces.count == 2 ? pieces[1].lowercased() : "asc"
            guard let key = pieces.first, !key.isEmpty, pieces.count <= 2, direction == "asc" || direction == "desc"
            else {
                throw ValidationError("'\(part)' is no sort key. Use KEY, KEY:asc or KEY:desc, separated by commas.")
            }
            return SortKey(keyPath: String(key), isAscending: direction == "asc")
        }
    }
}
