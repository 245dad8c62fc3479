// SPDX-License-Identifier: Apache-2.0

/// Edits of the text notation.
extension ModelEditing {
    /// Replaces the model by the model of a text. Elements and attributes that are the same in both stay as the file
    /// has them.
    mutating func setText(_ text: String) throws {
        let url = URL(fileURLWithPath: "/text.coredata")
        let data = Data(text.utf8)
        let parsed: SourceElement
        do {
            parsed = try TextNotation.element(data, from: url)
            let model = try SourceModelReader.read(parsed, from: url, format: .textNotation)
            if sortsElements {
                try merge(model)
            } else {
                root = SourceTree(parsed)
            }
        } catch let error as CocoaError {
            throw ModelEditError(CompilerDiagnostic(error, path: "").textAtPosition)
        }
        touchAll()
        outcome.label = "Edit the text"
    }

    /// Applies the differences between the model of now and another one.
    private mutating func merge(_ model: NSManagedObjectModel) throws {
        let url = URL(fileURLWithPath: "/text.coredata")
        let now = try SourceModelReader.read(SourceTreeDocument.element(of: root), from: url)
        // Both elements have the writer's form, so that they differ only where the models differ.
        let base = SourceTree(try SourceModelWriter.element(of: now, for: .xml))
        let target = SourceTree(try SourceModelWriter.element(of: model, for: .xml))
        Self.merge(&root, from: base, to: target, level: 0)
    }

    private static func key(_ element: SourceTree) -> String { "\(element.name) \(element["name"] ?? "")" }

    private static func merge(_ actual: inout SourceTree, from base: SourceTree, to target: SourceTree, level: Int) {
        for name in Set(base.attributes.map(\.name)).union(target.attributes.map(\.name)).sorted()
        where base[name] != target[name] {
            actual.set(name, target[name])
        }
        // The drawing and what no reader knows are in neither model.
        let isList = ["userInfo", "uniquenessConstraints", "compoundIndexes", "fetchIndex"].contains(target.name)
        if isList {
            if !zip(base.children, target.children).allSatisfy(isEqual) || base.children.count != target.children.count
            {
                replaceChildren(of: &actual, with: target.children, level: level)
            }
            return
        }
        let old = Dictionary(base.children.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(target.children.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        actual.removeChildren { old[key($0)] != nil && new[key($0)] == nil }
        for child in target.children {
            let index = actual.childIndex { key($0) == key(child) }
            if let before = old[key(child)], let index {
                if !isEqual(before, child) {
                    actual.updateChild(at: index) { merge(&$0, from: before, to: child, level: level + 1) }
                }
            } else if index == nil {
                let position = SourceOrder.position(of: child, in: actual, sorts: true)
                actual.insertChild(child, at: position, level: level)
            }
        }
    }
}

extension CompilerDiagnostic {
    /// The text with line and column, for the text that the page shows.
    var textAtPosition: String {
        let position = [line.map { "Line \($0)" }, column.map { "column \($0)" }].compactMap { $0 }
        return position.isEmpty ? text : "\(position.joined(separator: ", ")): \(text)"
    }
}
