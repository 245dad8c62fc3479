import OpenCoreData

/// Text and numbers as they stand in SVG.
enum SVGText {
    /// The text without anything that markup would mean, and without characters that XML doesn't know.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in TerminalText.visible(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // Noncharacters are not XML's.
            case "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A number with at most one digit after the point.
    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
