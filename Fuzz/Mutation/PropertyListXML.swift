import CoreDataModel

/// Property lists as XML, including references of keyed archives. Compiled models of old tools have this format.
enum PropertyListXML {
    static func data(_ value: PropertyListValue) -> Data {
        var text = #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">"#
        write(value, into: &text)
        return Data((text + "</plist>").utf8)
    }

    private static func write(_ value: PropertyListValue, into text: inout String) {
        switch value {
        case .null: text += "<string>$null</string>"
        case .boolean(let flag): text += flag ? "<true/>" : "<false/>"
        case .integer(let number): text += "<integer>\(number)</integer>"
        case .unsignedInteger(let number): text += "<integer>\(number)</integer>"
        case .real(let number): text += "<real>\(number)</real>"
        case .single(let number): text += "<real>\(number)</real>"
        case .date(let seconds):
            text += "<date>\(seconds == 0 ? "2001-01-01T00:00:00Z" : "9999-99-99T99:99:99Z")</date>"
        case .data(let data): text += "<data>\(data.base64EncodedString())</data>"
        case .string(let string): text += "<string>\(escaped(string))</string>"
        case .uid(let index): text += "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
        case .array(let values), .set(let values):
            text += "<array>\n"
            for value in values { write(value, into: &text) }
            text += "</array>\n"
        case .dictionary(let dictionary):
            text += "<dict>"
            for (key, value) in dictionary.entries {
                text += "<key>\(escaped(key))</key>"
                write(value, into: &text)
            }
            text += "</dict>\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
