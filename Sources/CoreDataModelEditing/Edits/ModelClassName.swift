// SPDX-License-Identifier: Apache-2.0

/// The class of an entity as source models write it: a module, a dot, and a name. A dot without a module stands for the
/// module of the target.
package struct ModelClassName: Equatable, Sendable {
    /// The name without a module; empty for `NSManagedObject`.
    package var name: String
    /// The module; `.` for the module of the target, empty for the global namespace.
    package var module: String

    package init(_ text: String?) {
        let text = text ?? ""
        guard let dot = text.firstIndex(of: ".") else {
            (name, module) = (text, "")
            return
        }
        name = String(text[text.index(after: dot)...])
        module = dot == text.startIndex ? "." : String(text[..<dot])
    }

    /// The text in the file; nil without a name.
    var text: String? {
        if name.isEmpty { return nil }
        return module.isEmpty ? name : module == "." ? ".\(name)" : "\(module).\(name)"
    }
}
