/// Writes a tree of source elements as Xcode does: four spaces for each level, everything in attributes, no line end at the end.
enum SourceXMLWriter {
    static func data(_ root: SourceElement) -> Data {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        write(root, level: 0, into: &text)
        text.removeLast()
        return Data(text.utf8)
    }

    private static func write(_ element: SourceElement, level: Int, into text: inout String) {
        let indentation = String(repeating: "    ", count: level)
        text += indentation + "<" + element.name
        for (name, value) in element.attributes { text += " \(name)=\"\(escaped(value))\"" }
        if element.children.isEmpty {
            text += "/>\n"
            return
        }
        text += ">\n"
        for child in element.children { write(child, level: level + 1, into: &text) }
        text += indentation + "</\(element.name)>\n"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n", "\r", "\t": text += "&#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
