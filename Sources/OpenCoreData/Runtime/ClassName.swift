// SPDX-License-Identifier: Apache-2.0

/// Names of classes, as models and mapping models write them.
enum ClassName {
    /// Module and class, with the types that contain it; without the marker of a private class.
    static func of(_ type: AnyClass) -> String { plain(_typeName(type, qualified: true)) }

    /// A name without a leading dot, and without the marker in the names of private classes: "(unknown context at …)".
    static func plain(_ name: String) -> String {
        guard name.utf8.first == UInt8(ascii: ".") || name.utf8.contains(UInt8(ascii: "(")) else { return name }
        return name.split(separator: ".").filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }

    static func lastPart(of name: String) -> String {
        guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
        return String(name[name.utf8.index(after: point)...])
    }
}
