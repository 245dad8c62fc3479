// SPDX-License-Identifier: Apache-2.0

/// Changes of one element. All other lines stay as they are.
extension SourceTree {
    /// Sets or removes an attribute. A new one stands where Xcode writes it.
    mutating func set(_ attribute: String, _ value: String?) {
        let position = attributes.firstIndex { $0.name == attribute }
        guard let value else {
            if let position { attributes.remove(at: position) }
            return
        }
        guard let position else { return insert(Attribute(attribute, value)) }
        guard attributes[position].value != value else { return }
        let space = attributes[position].text.prefix { $0.isWhitespace }
        let new = Attribute(attribute, value)
        attributes[position] = Attribute(
            name: attribute, value: value, text: String(space) + String(new.text.dropFirst()))
    }

    private mutating func insert(_ attribute: Attribute) {
        let order = SourceOrder.attributes[name] ?? []
        guard let rank = order.firstIndex(of: attribute.name) else { return attributes.append(attribute) }
        let before = attributes.lastIndex { other in order.firstIndex(of: other.name).map { $0 < rank } ?? false }
        attributes.insert(attribute, at: before.map { $0 + 1 } ?? 0)
    }

    /// The positions of the elements among the contents.
    private var elementPositions: [Int] {
        contents.indices.filter { if case .element = contents[$0] { true } else { false } }
    }

    /// The position of the first child among the children that a condition selects.
    func childIndex(where condition: (SourceTree) -> Bool) -> Int? {
        var index = 0
        for content in contents {
            guard case .element(let child) = content else { continue }
            if condition(child) { return index }
            index += 1
        }
        return nil
    }

    /// Changes all children, one after the other.
    mutating func updateEachChild(_ body: (inout SourceTree) -> Void) {
        for position in contents.indices {
            guard case .element(var child) = contents[position] else { continue }
            contents[position] = .text("")
            body(&child)
            contents[position] = .element(child)
        }
    }

    /// Changes a child.
    mutating func updateChild<Result>(
        at index: Int, _ body: (inout SourceTree) throws -> Result
    ) rethrows -> Result {
        let position = elementPositions[index]
        guard case .element(var child) = contents[position] else { programmingError("A child is an element.") }
        // The array has the only reference to the child's storage while it changes.
        contents[position] = .text("")
        defer { contents[position] = .element(child) }
        return try body(&child)
    }

    /// Inserts a child that no file has, on a new line. Each of its children gets a line, too.
    ///
    /// - Parameters:
    ///   - index: its position among the children.
    ///   - level: how deeply this element is nested; 0 for the root.
    mutating func insertChild(_ child: SourceTree, at index: Int, level: Int) {
        insertUnchanged(child.indented(level: level + 1), at: index, level: level)
    }

    /// Inserts a child on a new line. The contents of the child stay as they are.
    mutating func insertUnchanged(_ child: SourceTree, at index: Int, level: Int) {
        let positions = elementPositions
        let child = Content.element(child)
        let line = Content.text("\n" + Self.indentation(level + 1))
        if positions.isEmpty, contents.allSatisfy(\.isSpace) {
            contents = [line, child, .text("\n" + Self.indentation(level))]
        } else if index < positions.count {
            // The white space before the next element stands before the new one.
            contents.insert(contentsOf: [child, line], at: positions[index])
        } else if let last = positions.last {
            contents.insert(contentsOf: [line, child], at: last + 1)
        } else {
            contents += [line, child, .text("\n" + Self.indentation(level))]
        }
    }

    /// Removes a child with the white space before it.
    mutating func removeChild(at index: Int) {
        let position = elementPositions[index]
        contents.remove(at: position)
        if position > 0, contents[position - 1].isSpace { contents.remove(at: position - 1) }
        if contents.allSatisfy(\.isSpace) {
            contents = []
            isShort = true
        }
    }

    mutating func removeChildren(where condition: (SourceTree) -> Bool) {
        for (index, child) in children.enumerated().reversed() where condition(child) { removeChild(at: index) }
    }

    /// Changes the children that a condition selects.
    mutating func updateChildren(where condition: (SourceTree) -> Bool, _ body: (inout SourceTree) -> Void) {
        updateEachChild { if condition($0) { body(&$0) } }
    }

    /// The same element with one line for each child. Only for elements that no file has: their text is dropped.
    private func indented(level: Int) -> SourceTree {
        let children = self.children
        guard !children.isEmpty else { return self }
        var result = self
        result.contents = children.flatMap { child in
            [.text("\n" + Self.indentation(level + 1)), .element(child.indented(level: level + 1))]
        }
        result.contents.append(.text("\n" + Self.indentation(level)))
        return result
    }

    private static func indentation(_ level: Int) -> String { String(repeating: "    ", count: level) }
}

extension SourceTree.Content {
    fileprivate var isSpace: Bool {
        if case .text(let text) = self { text.allSatisfy(\.isWhitespace) } else { false }
    }
}
