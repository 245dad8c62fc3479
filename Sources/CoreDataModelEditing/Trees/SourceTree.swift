// SPDX-License-Identifier: Apache-2.0

/// An element of a source model with all that its file has: unknown attributes and elements, comments, white space, the
/// order and the spelling of attributes. A tree is a value: a copy costs nothing, and an edit copies its path only.
package struct SourceTree: Equatable, Sendable {
    /// An attribute as its file has it.
    struct Attribute: Equatable, Sendable {
        let name: String
        let value: String
        /// The white space before it, its name, and its value in quotation marks.
        let text: String
    }

    /// A part between two tags.
    enum Content: Equatable, Sendable {
        case element(SourceTree)
        /// White space, comments, and other text that no reader of models sees.
        case text(String)
    }

    package let name: String
    var attributes: [Attribute]
    var contents: [Content]
    /// The white space before the `>` or `/>` of the first tag.
    var tagSpace = ""
    /// Whether an element without contents has one tag.
    var isShort = true
    /// The white space in the last tag.
    var endSpace = ""

    /// Makes an element in Xcode's form, without contents.
    ///
    /// - Parameter attributes: the attributes. An attribute with the value nil is left out.
    init(_ name: String, _ attributes: [(String, String?)] = []) {
        self.name = name
        self.attributes = attributes.compactMap { name, value in value.map { Attribute(name, $0) } }
        contents = []
    }

    /// The value of an attribute.
    package subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// The elements in it.
    package var children: [SourceTree] {
        contents.compactMap { if case .element(let child) = $0 { child } else { nil } }
    }

    package func children(named name: String) -> [SourceTree] { children.filter { $0.name == name } }
    package func child(named name: String) -> SourceTree? { child { $0.name == name } }

    /// The kinds of the properties of an entity.
    package static let propertyKinds: Set<String> = ["attribute", "relationship", "fetchedProperty"]

    /// The properties of an entity, in the order of the file.
    package var properties: [SourceTree] { children.filter { Self.propertyKinds.contains($0.name) } }

    /// The child of a kind with a name.
    package func child(_ kind: String, _ name: String) -> SourceTree? {
        child { $0.name == kind && $0["name"] == name }
    }

    private func child(where condition: (SourceTree) -> Bool) -> SourceTree? {
        for content in contents {
            if case .element(let child) = content, condition(child) { return child }
        }
        return nil
    }

    package func isTrue(_ attribute: String) -> Bool { ["YES", "true"].contains(self[attribute]) }
}

extension SourceTree.Attribute {
    /// An attribute in Xcode's form.
    init(_ name: String, _ value: String) {
        self.init(name: name, value: value, text: " \(name)=\"\(XMLValue.escaped(value))\"")
    }
}

extension SourceTree {
    /// The element as it is written.
    func write(to text: inout String) {
        text += "<" + name
        for attribute in attributes { text += attribute.text }
        text += tagSpace
        guard !contents.isEmpty || !isShort else {
            text += "/>"
            return
        }
        text += ">"
        for content in contents {
            switch content {
            case .element(let child): child.write(to: &text)
            case .text(let between): text += between
            }
        }
        text += "</" + name + endSpace + ">"
    }
}
