// SPDX-License-Identifier: Apache-2.0

/// Applies edits to the tree of a model.
package struct ModelEditing {
    /// Whether elements stand in the order of their names, as in Xcode's files.
    let sortsElements: Bool
    var root: SourceTree
    var outcome = ModelEditOutcome()

    init(_ root: SourceTree, sortsElements: Bool) {
        self.root = root
        self.sortsElements = sortsElements
    }

    /// Applies an edit.
    ///
    /// - Returns: the new tree, and the consequence. Without a change the tree is equal to the old one.
    /// - Throws: `ModelEditError` for an edit that makes no sense; nothing is changed then.
    package static func apply(
        _ edit: ModelEdit, to root: SourceTree, sortsElements: Bool = true
    ) throws -> (root: SourceTree, outcome: ModelEditOutcome) {
        var editing = ModelEditing(root, sortsElements: sortsElements)
        try editing.apply(edit)
        return (editing.root, editing.outcome)
    }

    private mutating func apply(_ edit: ModelEdit) throws {
        switch edit {
        case .set(let path, let attribute, let value): try set(path, attribute, value)
        case .add(let parent, let kind, let name, let attributes): try add(kind, to: parent, name, attributes)
        case .remove(let path): try remove(path)
        case .rename(let path, let name, let keepsValues): try rename(path, to: name, keepsValues: keepsValues)
        case .relate(let relation): try relate(relation)
        case .setUserInfo(let path, let entries): try setUserInfo(path, entries)
        case .setConstraints(let entity, let lists): try setConstraints(entity, lists)
        case .setIndex(let path, let elements): try setIndex(path, elements)
        case .setMembers(let configuration, let names): try setMembers(configuration, names)
        case .place(let positions): try place(positions)
        case .setText(let text): try setText(text)
        }
    }

    // MARK: Shared steps

    mutating func touch(_ path: ModelPath) {
        outcome.touched.insert(ModelPath(Array(path.steps.prefix(2))).text)
    }

    mutating func touchAll() { outcome.touched.insert("*") }

    /// Says more about the consequences.
    mutating func note(_ text: String) {
        outcome.note = [outcome.note, text].compactMap { $0 }.joined(separator: " ")
    }

    func require(_ path: ModelPath) throws -> SourceTree {
        guard let element = root.element(at: path) else { throw ModelEditError.missing(path) }
        return element
    }

    mutating func set(_ attribute: String, _ value: String?, at path: ModelPath) throws {
        try root.update(at: path) { $0.set(attribute, value) }
    }

    /// Inserts an element where Xcode writes it.
    mutating func insert(_ child: SourceTree, into parent: ModelPath) throws {
        let sorts = sortsElements
        try root.update(at: parent) { element in
            let position = SourceOrder.position(of: child, in: element, sorts: sorts)
            element.insertChild(child, at: position, level: parent.steps.count)
        }
    }

    mutating func removeElement(at path: ModelPath) throws {
        guard let step = path.last else { throw ModelEditError("The model itself can't be removed.") }
        try root.update(at: path.parent) { parent in
            guard let index = parent.index(of: step) else { throw ModelEditError.missing(path) }
            parent.removeChild(at: index)
        }
    }

    /// Changes all elements in the order of the file, from the root down.
    mutating func updateAll(_ body: (inout SourceTree, _ path: ModelPath) -> Void) {
        func walk(_ element: inout SourceTree, _ path: ModelPath) {
            body(&element, path)
            element.updateEachChild { child in
                walk(&child, ModelPath(path.steps + [ModelPath.Step(child.name, child["name"])]))
            }
        }
        walk(&root, .model)
    }

    /// The entities whose parent is an entity, directly or not.
    func descendants(of name: String) -> Set<String> {
        let parents = root.children(named: "entity").map { ($0["name"] ?? "", $0["parentEntity"] ?? "") }
        var found: Set<String> = []
        var frontier = [name]
        while let next = frontier.popLast() {
            for (child, parent) in parents where parent == next && found.insert(child).inserted {
                frontier.append(child)
            }
        }
        return found
    }

    /// An entity, its parent, and so on.
    func ancestry(of name: String) -> [String] {
        var names: [String] = []
        var next: String? = name
        while let current = next, !names.contains(current) {
            names.append(current)
            next = root.child("entity", current)?["parentEntity"]
        }
        return names
    }
}
