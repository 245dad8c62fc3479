// SPDX-License-Identifier: Apache-2.0

/// Adding, renaming and removing elements.
extension ModelEditing {
    /// The kinds that a parent can have.
    private static let kinds: [String: Set<String>] = [
        "model": ["entity", "fetchRequest", "configuration", "composite"],
        "entity": ["attribute", "relationship", "fetchedProperty", "fetchIndex"],
        "composite": ["attribute"],
    ]

    mutating func add(_ kind: String, to parent: ModelPath, _ name: String?, _ given: [String: String]) throws {
        guard Self.kinds[parent.kind]?.contains(kind) == true else {
            throw ModelEditError("\(parent.kind) can't contain \(kind).")
        }
        let element = try require(parent)
        let name = try name.map { try checked($0, kind, in: parent, except: nil) } ?? freeName(for: kind, in: element)
        var child = SourceTree(kind, newAttributes(of: kind, name: name, in: parent))
        for (attribute, value) in given.sorted(by: { $0.key < $1.key })
        where !["attributeType", "name"].contains(attribute) && !(kind == "fetchedProperty" && attribute == "entity") {
            guard SourceOrder.attributes[kind]?.contains(attribute) == true else {
                throw ModelEditError("\(kind) has no setting \(attribute).")
            }
            child.set(attribute, try AttributeValue.checked(value, attribute, of: child))
        }
        if kind == "fetchedProperty" {
            let target = given["entity"] ?? parent.name ?? ""
            child.insertChild(
                SourceTree("fetchRequest", [("name", "fetchedPropertyFetchRequest"), ("entity", target)]), at: 0,
                level: 0)
        }
        if kind == "fetchIndex", let first = element.child(named: "attribute")?["name"] {
            child.insertChild(Self.indexElement(ModelEdit.IndexElement(property: first)), at: 0, level: 0)
        }
        try insert(child, into: parent)
        let path = parent.child(kind, name)
        if kind == "attribute" { try setType(given["attributeType"] ?? "String", of: path) }
        touch(path)
        outcome.selection = path
        outcome.label = "Add \(name)"
    }

    /// The attributes that a new element has in Xcode.
    private func newAttributes(of kind: String, name: String, in parent: ModelPath) -> [(String, String?)] {
        let syncable = root.children(named: "entity").contains { $0["syncable"] == nil } ? nil : "YES"
        switch kind {
        case "entity":
            return [
                ("name", name), ("representedClassName", name), ("syncable", syncable), ("codeGenerationType", "class"),
            ]
        case "attribute", "fetchedProperty": return [("name", name), ("optional", "YES")]
        case "relationship":
            return [("name", name), ("optional", "YES"), ("maxCount", "1"), ("deletionRule", "Nullify")]
        case "fetchRequest":
            return [
                ("name", name), ("entity", root.child(named: "entity")?["name"] ?? ""),
                ("predicateString", "TRUEPREDICATE"),
            ]
        default: return [("name", name)]
        }
    }

    private func freeName(for kind: String, in parent: SourceTree) -> String {
        let stem =
            switch kind {
            case "entity": "Entity"
            case "fetchedProperty": "fetchedProperty"
            case "fetchRequest": "FetchRequest"
            case "fetchIndex": "byPropertyIndex"
            case "configuration": "Configuration"
            case "composite": "Composite"
            default: kind
            }
        return free(stem, kind, in: parent)
    }

    /// A name that no sibling has.
    func free(_ stem: String, _ kind: String, in parent: SourceTree) -> String {
        let used = Set(
            parent.children.filter { Self.isRival($0.name, kind) }.compactMap { $0["name"] })
        var name = stem
        var number = 1
        while used.contains(name) {
            number += 1
            name = stem + String(number)
        }
        return name
    }

    /// Whether two kinds share the names of their parent.
    private static func isRival(_ one: String, _ other: String) -> Bool {
        one == other || SourceTree.propertyKinds.isSuperset(of: [one, other])
    }

    /// A name that an element can have.
    private func checked(_ given: String, _ kind: String, in parent: ModelPath, except old: String?) throws -> String {
        let name = given.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw ModelEditError("A name is missing.", attribute: "name") }
        guard XMLValue.canRepresent(name), name.utf8.count <= 1_000 else {
            throw ModelEditError("The name has characters that a file can't have, or is too long.", attribute: "name")
        }
        let siblings = try require(parent).children.filter { Self.isRival($0.name, kind) }
        if name != old, let rival = siblings.first(where: { $0["name"] == name }) {
            throw ModelEditError(
                "There is already \(ModelWords.kindWithArticle(rival.name)) ‘\(name)’. Choose another name.",
                attribute: "name")
        }
        return name
    }

    // MARK: Renaming

    mutating func rename(_ path: ModelPath, to given: String, keepsValues: Bool) throws {
        let element = try require(path)
        guard let old = path.name, path.kind != "fetchRequest" || path.steps.count == 1 else {
            throw ModelEditError("This element has no name.", attribute: "name")
        }
        let name = try checked(given, path.kind, in: path.parent, except: old)
        let renamed = path.parent.child(path.kind, name)
        outcome.selection = renamed
        outcome.label = "Rename \(old) to \(name)"
        touchAll()
        guard name != old else { return }
        let isSorted = try isInOrder(path)
        try set("name", name, at: path)
        if keepsValues, element["elementID"] == nil, ["entity", "attribute", "relationship"].contains(path.kind) {
            try set("elementID", old, at: renamed)
        }
        switch path.kind {
        case "entity": try renameEntity(old, name, renamed)
        case "attribute", "relationship", "fetchedProperty": renameProperty(old, name, path)
        case "composite": renameComposite(old, name)
        default: break
        }
        if isSorted, sortsElements { try moveIntoOrder(renamed) }
    }

    /// Whether an element stands in the order of names among its neighbours.
    private func isInOrder(_ path: ModelPath) throws -> Bool {
        let parent = try require(path.parent)
        guard let index = path.last.flatMap(parent.index(of:)) else { throw ModelEditError.missing(path) }
        return SourceOrder.isSorted(parent, at: index)
    }

    /// Moves an element to its place in the order of names.
    private mutating func moveIntoOrder(_ path: ModelPath) throws {
        guard try !isInOrder(path) else { return }
        let element = try require(path)
        try removeElement(at: path)
        try root.update(at: path.parent) { parent in
            let position = SourceOrder.position(of: element, in: parent, sorts: true)
            parent.insertUnchanged(element, at: position, level: path.parent.steps.count)
        }
    }

    private mutating func renameEntity(_ old: String, _ name: String, _ path: ModelPath) throws {
        if try require(path)["representedClassName"] == old { try set("representedClassName", name, at: path) }
        updateAll { element, _ in
            switch element.name {
            case "entity": if element["parentEntity"] == old { element.set("parentEntity", name) }
            case "relationship":
                for attribute in ["destinationEntity", "inverseEntity"] where element[attribute] == old {
                    element.set(attribute, name)
                }
            case "fetchRequest": if element["entity"] == old { element.set("entity", name) }
            case "memberEntity", "element": if element["name"] == old { element.set("name", name) }
            default: break
            }
        }
    }

    private mutating func renameProperty(_ old: String, _ name: String, _ path: ModelPath) {
        guard let entity = path.entityName else { return }
        let heirs = descendants(of: entity).union([entity])
        updateAll { element, place in
            switch element.name {
            case "relationship" where path.kind == "relationship":
                // The inverse may name an entity in the hierarchy of the one that declares the relationship.
                let target = element["inverseEntity"] ?? element["destinationEntity"] ?? ""
                if element["inverseName"] == old, heirs.contains(target) { element.set("inverseName", name) }
            case "constraint", "index":
                if element["value"] == old, heirs.contains(place.entityName ?? "") { element.set("value", name) }
            case "fetchIndexElement":
                if element["property"] == old, heirs.contains(place.entityName ?? "") { element.set("property", name) }
            default: break
            }
        }
        let uses = expressions(naming: old, of: heirs)
        if !uses.isEmpty { note("Texts that may name ‘\(old)’ stay as they are: \(uses.joined(separator: ", ")).") }
    }

    private mutating func renameComposite(_ old: String, _ name: String) {
        updateAll { element, _ in
            if element.name == "attribute", element["composite"] == old { element.set("composite", name) }
        }
    }

    /// Predicates and expressions that contain a word.
    private func expressions(naming word: String, of entities: Set<String>) -> [String] {
        var found: [String] = []
        func walk(_ element: SourceTree, _ owner: String) {
            let named = element["name"].map { owner.isEmpty ? $0 : "\(owner).\($0)" } ?? owner
            for attribute in ["predicateString", "derivationExpression", "partialIndexPredicate", "expression"] {
                let words = (element[attribute] ?? "").split { !($0.isLetter || $0.isNumber || $0 == "_") }
                if words.contains(where: { $0 == word }) { found.append(named) }
            }
            for child in element.children { walk(child, element.name == "model" ? "" : named) }
        }
        walk(root, "")
        return found
    }

    // MARK: Removing

    mutating func remove(_ path: ModelPath) throws {
        let element = try require(path)
        let name = path.name ?? ModelWords.kind(path.kind)
        switch path.kind {
        case "entity": removeReferences(toEntity: path.name ?? "", parent: element["parentEntity"])
        case "relationship":
            removeInverse(of: element, path)
            removeReferences(toProperty: path)
        case "attribute", "fetchedProperty": if path.entityName != nil { removeReferences(toProperty: path) }
        case "composite":
            let users = attributes(ofComposite: path.name ?? "")
            guard users.isEmpty else {
                throw ModelEditError(
                    "The composite ‘\(name)’ is the type of \(users.joined(separator: ", ")). Change them first.")
            }
        case "fetchRequest", "configuration", "fetchIndex": break
        default: throw ModelEditError("\(path.kind) can't be removed by itself.")
        }
        try removeElement(at: path)
        touchAll()
        outcome.selection = path.parent
        outcome.label = "Remove \(name)"
    }

    private func attributes(ofComposite name: String) -> [String] {
        root.children.flatMap { owner in
            owner.children(named: "attribute").filter { $0["composite"] == name }
                .map { "\(owner["name"] ?? "").\($0["name"] ?? "")" }
        }
    }

    private mutating func removeReferences(toEntity name: String, parent: String?) {
        var orphans: [String] = []
        updateAll { element, path in
            if element.name == "entity", element["parentEntity"] == name { element.set("parentEntity", parent) }
            guard element.name == "relationship" else { return }
            if element["destinationEntity"] == name, path.entityName != name {
                orphans.append("\(path.entityName ?? "").\(path.name ?? "")")
                element.set("destinationEntity", nil)
            }
            if element["destinationEntity"] == nil || element["inverseEntity"] == name {
                element.set("inverseName", nil)
                element.set("inverseEntity", nil)
            }
        }
        for kind in ["configuration", "elements"] {
            root.updateChildren(where: { $0.name == kind }) { list in
                list.removeChildren { ["memberEntity", "element"].contains($0.name) && $0["name"] == name }
            }
        }
        root.removeChildren { $0.name == "elements" && $0.children.isEmpty }
        if !orphans.isEmpty { note("Without a destination now: \(orphans.joined(separator: ", ")).") }
    }

    private mutating func removeReferences(toProperty path: ModelPath) {
        guard let entity = path.entityName, let name = path.name else { return }
        let heirs = descendants(of: entity).union([entity])
        root.updateChildren(where: { $0.name == "entity" && heirs.contains($0["name"] ?? "") }) { element in
            element.updateChildren(where: { $0.name == "fetchIndex" }) { index in
                index.removeChildren { $0["property"] == name }
            }
            element.removeChildren { $0.name == "fetchIndex" && $0.children.isEmpty }
            for (outer, inner) in [("uniquenessConstraints", "constraint"), ("compoundIndexes", "index")] {
                element.updateChildren(where: { $0.name == outer }) { lists in
                    lists.removeChildren { list in
                        list.children.contains { $0.name == inner && $0["value"] == name }
                    }
                }
                element.removeChildren { $0.name == outer && $0.children.isEmpty }
            }
        }
    }
}
