// SPDX-License-Identifier: Apache-2.0

/// Names of classes, as models and mapping models write them.
enum ClassName {
    /// Module and class, with the types that contain it; without the marker of a private class. The framework's own
    /// classes have no module in their names, as on Apple's platforms.
    static func of(_ type: AnyClass) -> String {
        if type == NSManagedObject.self { return "NSManagedObject" }
        if type == NSEntityMigrationPolicy.self { return "NSEntityMigrationPolicy" }
        return plain(_typeName(type, qualified: true))
    }

    /// A name without a leading dot, and without the marker in the names of private classes: "(unknown context at …)".
    static func plain(_ name: String) -> String {
        guard name.utf8.first == UInt8(ascii: ".") || name.utf8.contains(UInt8(ascii: "(")) else { return name }
        return name.split(separator: ".").filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }

    static func lastPart(of name: String) -> String {
        name.utf8.split(separator: UInt8(ascii: ".")).last.map { String(Substring($0)) } ?? name
    }
}
