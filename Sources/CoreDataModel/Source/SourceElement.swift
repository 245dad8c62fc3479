// SPDX-License-Identifier: Apache-2.0

/// An element of a source model: its name, attributes and children. Both source formats are read into a tree of
/// elements, and written from it.
package final class SourceElement {
    package let name: String
    /// The attributes in the order in which they are written. The order of attributes that were read has no meaning.
    package private(set) var attributes: [(name: String, value: String)]
    package internal(set) var children: [SourceElement] = []
    /// The line in the file; 0 if there is none.
    package let line: Int
    /// The column in the line; 0 if it isn't known.
    let column: Int
    private var valuesByName: [String: String]?

    init(
        _ name: String, attributes: [String: String], children: [SourceElement] = [], line: Int, column: Int = 0
    ) {
        self.name = name
        self.attributes = attributes.map { ($0.key, $0.value) }
        self.children = children
        self.line = line
        self.column = column
        valuesByName = attributes
    }

    /// Creates an element for writing. Attributes with the value nil are omitted.
    package init(_ name: String, _ attributes: [(String, String?)] = [], children: [SourceElement] = []) {
        self.name = name
        self.attributes = attributes.compactMap { name, value in value.map { (name, $0) } }
        self.children = children
        line = 0
        column = 0
        valuesByName = nil
    }

    /// Sets or removes an attribute of an element that was read.
    func set(_ attribute: String, to value: String?) {
        valuesByName?[attribute] = value
    }

    package subscript(_ attribute: String) -> String? {
        if let valuesByName { return valuesByName[attribute] }
        return attributes.first { $0.name == attribute }?.value
    }

    /// Whether an attribute is YES. False if it is absent.
    func isTrue(_ attribute: String) -> Bool { isTrue(attribute, whenAbsent: false) }

    func isTrue(_ attribute: String, whenAbsent absent: Bool) -> Bool {
        guard let value = self[attribute] else { return absent }
        return value == "YES" || value == "true"
    }

    /// The text of an attribute; nil also for an empty text.
    func text(_ attribute: String) -> String? {
        guard let value = self[attribute], !value.isEmpty else { return nil }
        return value
    }

    func children(named name: String) -> [SourceElement] { children.filter { $0.name == name } }

    func child(named name: String) -> SourceElement? { children.first { $0.name == name } }

    /// All attributes by name.
    package var attributesByName: [String: String] {
        valuesByName ?? Dictionary(attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}
