// SPDX-License-Identifier: Apache-2.0

// On Linux only numbers and strings conform to `CVarArg`. These conformances let the initializers with a format
// (`NSPredicate(format:)`, `NSExpression(format:)`) and `String(format:)` accept objects and values for `%@`.
//
// Predicates read the arguments from the Swift array. `String(format:)` makes a C argument list, which retains nothing
// by itself: the standard library stores the object of `_cVarArgObject` with the list, so the pointer stays valid as
// long as the list. CoreFoundation on Linux formats strings only and stops the program at other objects, so each
// argument gives the string that `%@` prints.

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The string that `%@` prints; a string gives itself.
    public var _cVarArgObject: any CVarArg { FormatDescription.string(for: self) }

    /// The address of the object, which isn't retained.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

/// A value that `%@` formats as its string.
///
/// The protocol is public because the conformances to `CVarArg` are public.
public protocol _FormatArgument: _CVarArgObject {}

extension _FormatArgument {
    /// The string that `%@` prints.
    public var _cVarArgObject: any CVarArg { FormatDescription.string(for: self) }

    /// Stops the program: an argument list encodes ``_cVarArgObject`` instead.
    public var _cVarArgEncoding: [Int] {
        programmingError(
            "The type \(Self.self) has no encoding in an argument list. Encode its _cVarArgObject.")
    }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, _FormatArgument {}

/// The text that `%@` prints for a value, as the `description` of Apple's classes.
private enum FormatDescription {
    static func string(for value: Any) -> NSString {
        (value as? NSString) ?? NSString(string: text(of: value, indentation: 0))
    }

    private static func text(of value: Any, indentation: Int) -> String {
        guard let value = Values.unwrap(value) else { return "<null>" }
        if let data = value as? Data { return text(of: data) }
        if let dictionary = value as? NSDictionary { return text(of: dictionary, indentation) }
        if let elements = Values.elements(of: value) {
            let isList = !Values.isUnordered(value) && !(value is NSOrderedSet)
            return text(of: elements, isList ? ("(", ")") : ("{(", ")}"), indentation)
        }
        if let number = Numbers.number(value) { return number.stringValue }
        if type(of: value) is AnyClass, let object = value as? NSObject { return object.description }
        return String(describing: value)
    }

    /// Up to 24 bytes in full; of more the first 16 and the last 8.
    private static func text(of data: Data) -> String {
        let digits =
            data.count <= 24
            ? hexadecimal(data) : groups(data.prefix(16)) + " ... " + groups(data.suffix(8)) + " "
        return "{length = \(data.count), bytes = 0x\(digits)}"
    }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Groups of four bytes, separated by spaces.
    private static func groups(_ bytes: Data) -> String {
        stride(from: 0, to: bytes.count, by: 4).map { hexadecimal(bytes.dropFirst($0).prefix(4)) }
            .joined(separator: " ")
    }

    private static func text(of elements: [Any], _ brackets: (String, String), _ indentation: Int) -> String {
        let lines = elements.map { line($0, indentation) }
        let list = lines.isEmpty ? "\n" : "\n" + lines.joined(separator: ",\n") + "\n"
        return brackets.0 + list + spaces(indentation) + brackets.1
    }

    /// One element. A collection in a collection is indented twice, as Apple prints it.
    private static func line(_ element: Any, _ indentation: Int) -> String {
        let (text, isCollection) = member(element, indentation)
        return spaces(indentation + (isCollection ? 8 : 4)) + text
    }

    /// The entries of a dictionary, sorted by their keys.
    private static func text(of dictionary: NSDictionary, _ indentation: Int) -> String {
        let entries = dictionary.map { key, value in
            let (text, isCollection) = member(value, indentation)
            return member(key, indentation).text + " = " + (isCollection ? "    " : "") + text + ";\n"
        }
        return "{\n" + entries.sorted().map { spaces(indentation + 4) + $0 }.joined() + spaces(indentation) + "}"
    }

    /// An element, key or value of a collection: quoted unless it has letters and digits only.
    private static func member(_ value: Any, _ indentation: Int) -> (text: String, isCollection: Bool) {
        let text = text(of: value, indentation: indentation + 4)
        if Values.elements(of: value) != nil { return (text, true) }
        return (value is Data ? text : quoted(text), false)
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
        if isPlain, !text.isEmpty { return text }
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x0A: result += "\\n"
            case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result + "\""
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
