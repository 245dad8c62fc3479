import ArgumentParser
import OpenCoreData

/// One column of `--fetch`: a key path or an expression, with a name before it or its own text as name.
struct FetchColumn {
    let name: String
    let expression: NSExpression
    /// The expression's text.
    let text: String

    /// The columns of `[NAME=]EXPRESSION,…`. Commas in parentheses, braces and quotes belong to an expression.
    static func parse(_ text: String) throws -> [FetchColumn] {
        let columns = try parts(of: text).map(column)
        if let name = Dictionary(grouping: columns, by: \.name).first(where: { $0.value.count > 1 })?.key {
            throw ValidationError("Two columns are named '\(name)': give names, as in a=artist.name.")
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
            throw ValidationError("'\(part)' is no column: write EXPRESSION or NAME=EXPRESSION, with commas between.")
        }
        do {
            return FetchColumn(name: name, expression: try NSExpression.parse(text), text: text)
        } catch {
            throw ValidationError("The column '\(text)' can't be read: \(error)")
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

    /// The column as a fetch request takes it.
    var description: NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        return description
    }

    /// The value of the column in a result; an attribute's own value is told by the model what it is.
    func cell(in result: NSDictionary, of entity: NSEntityDescription) -> CellValue {
        let value = result[name]
        guard expression.expressionType == .keyPath,
            let attribute = try? KeyPathCheck(entity: entity).property(at: expression.keyPath)
                as? NSAttributeDescription
        else { return CellValue(value: value) }
        return CellValue(attribute: attribute, value: value)
    }
}
