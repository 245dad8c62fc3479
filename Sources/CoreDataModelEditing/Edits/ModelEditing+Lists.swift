// SPDX-License-Identifier: Apache-2.0

/// Relationships that are drawn, and the lists of a model: user info, constraints, indexes, members, positions.
extension ModelEditing {
    mutating func relate(_ relation: ModelEdit.Relation) throws {
        for name in [relation.source, relation.destination] {
            guard root.child("entity", name) != nil else { throw ModelEditError("There is no entity ‘\(name)’.") }
        }
        let source = ModelPath.entity(relation.source)
        let destination = ModelPath.entity(relation.destination)
        func wanted(_ name: String?) -> String? {
            let name = name?.trimmingCharacters(in: .whitespaces)
            return name?.isEmpty == true ? nil : name
        }
        let name =
            try wanted(relation.name)
            ?? free(
                Self.stem(relation.destination, isToMany: relation.isToMany, in: relation.source), "relationship",
                in: require(source))
        try add("relationship", to: source, name, [:])
        let path = source.child("relationship", name)
        if relation.isToMany { try setIsToMany(true, path) }
        try set("destinationEntity", relation.destination, at: path)
        if relation.inverse?.isEmpty != true {
            let inverse =
                try wanted(relation.inverse)
                ?? free(
                    Self.stem(relation.source, isToMany: relation.inverseIsToMany, in: relation.destination),
                    "relationship",
                    in: require(destination))
            try add("relationship", to: destination, inverse, [:])
            let back = destination.child("relationship", inverse)
            if relation.inverseIsToMany { try setIsToMany(true, back) }
            for (path, entity, other) in [(path, relation.destination, inverse), (back, relation.source, name)] {
                try set("destinationEntity", entity, at: path)
                try set("inverseName", other, at: path)
                try set("inverseEntity", entity, at: path)
            }
        }
        outcome.label = "Relate \(relation.source) to \(relation.destination)"
        outcome.selection = path
    }

    /// The name of a relationship to an entity. Where a class can't have it, the owner's name stands before it:
    /// `loanCopy`.
    private static func stem(_ entity: String, isToMany: Bool, in owner: String) -> String {
        let name = stem(entity, isToMany: isToMany)
        guard NameCheck.isReserved(name) else { return name }
        return stem(owner, isToMany: false) + name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func stem(_ entity: String, isToMany: Bool) -> String {
        let head = entity.prefix { $0.isUppercase }
        let lower =
            head.count > 1 && head.count < entity.count
            ? head.dropLast().lowercased() + entity.dropFirst(head.count - 1)
            : head.lowercased() + entity.dropFirst(head.count)
        guard isToMany else { return lower }
        if lower.hasSuffix("y"), !"aeiou".contains(lower.dropLast().last ?? "a") { return lower.dropLast() + "ies" }
        return lower + (["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) ? "es" : "s")
    }

    // MARK: Lists

    /// Replaces the only child of a kind. An equal one stays.
    private mutating func replace(_ kind: String, with child: SourceTree?, in path: ModelPath) throws {
        let old = try require(path).child(named: kind)
        if let old, let child, Self.isEqual(old, child) { return }
        if let old, let child, Self.canMerge(old, child) {
            return try root.update(at: path.child(kind)) { element in
                Self.replaceChildren(of: &element, with: child.children, level: path.steps.count + 1)
            }
        }
        if old != nil { try removeElement(at: path.child(kind)) }
        if let child, !child.children.isEmpty { try insert(child, into: path) }
    }

    private static func canMerge(_ old: SourceTree, _ new: SourceTree) -> Bool {
        !old.children.isEmpty && !new.children.isEmpty
    }

    /// Replaces the children by a list. If a child is in both lists and keeps its place among the common children, its
    /// lines stay as they are.
    static func replaceChildren(of element: inout SourceTree, with new: [SourceTree], level: Int) {
        let old = element.children
        let difference = new.difference(from: old, by: isEqual)
        for change in difference {
            switch change {
            case .remove(let offset, _, _): element.removeChild(at: offset)
            case .insert(let offset, let child, _): element.insertChild(child, at: offset, level: level)
            }
        }
    }

    /// Whether two elements say the same.
    static func isEqual(_ one: SourceTree, _ other: SourceTree) -> Bool {
        one.name == other.name && one.attributes.count == other.attributes.count
            && one.attributes.allSatisfy { other[$0.name] == $0.value }
            && one.children.count == other.children.count
            && zip(one.children, other.children).allSatisfy(isEqual)
    }

    private static func list(_ name: String, _ children: [SourceTree]) -> SourceTree {
        var element = SourceTree(name)
        element.contents = children.map { .element($0) }
        return element
    }

    mutating func setUserInfo(_ path: ModelPath, _ entries: [ModelEdit.Entry]) throws {
        let entries = entries.filter { !$0.key.isEmpty || !$0.value.isEmpty }
        for entry in entries {
            guard !entry.key.isEmpty else {
                throw ModelEditError("An entry of the user info has no key.", attribute: "userInfo")
            }
            guard entries.count(where: { $0.key == entry.key }) == 1 else {
                throw ModelEditError("The key ‘\(entry.key)’ is there twice.", attribute: "userInfo")
            }
            guard XMLValue.canRepresent(entry.key + entry.value) else {
                throw ModelEditError("A model file can't have the characters of ‘\(entry.key)’.", attribute: "userInfo")
            }
        }
        let elements = entries.map { SourceTree("entry", [("key", $0.key), ("value", $0.value)]) }
        try replace("userInfo", with: Self.list("userInfo", elements), in: path)
        touch(path)
        outcome.selection = path
        outcome.label = "Set the user info of \(path.name ?? "the model")"
    }

    mutating func setConstraints(_ entity: String, _ lists: [[String]]) throws {
        let path = ModelPath.entity(entity)
        _ = try require(path)
        let known = Set(
            ancestry(of: entity).flatMap { root.child("entity", $0)?.children ?? [] }
                .filter { ["attribute", "relationship"].contains($0.name) }.compactMap { $0["name"] })
        for name in lists.joined() where !known.contains(name) {
            throw ModelEditError(
                "\(entity) has no attribute ‘\(name)’.\(NearestNames.suggestion(for: name, in: known))",
                attribute: "uniquenessConstraints")
        }
        for names in lists where Set(names).count != names.count {
            throw ModelEditError("A constraint names a property twice.", attribute: "uniquenessConstraints")
        }
        let elements = lists.filter { !$0.isEmpty }.map { names in
            Self.list("uniquenessConstraint", names.map { SourceTree("constraint", [("value", $0)]) })
        }
        try replace("uniquenessConstraints", with: Self.list("uniquenessConstraints", elements), in: path)
        touch(path)
        outcome.selection = path
        outcome.label = "Set the constraints of \(entity)"
    }

    static func indexElement(_ element: ModelEdit.IndexElement) -> SourceTree {
        SourceTree(
            "fetchIndexElement",
            [
                ("property", element.expression == nil ? element.property : nil), ("expression", element.expression),
                ("expressionType", element.expression == nil ? nil : element.expressionType ?? "String"),
                ("type", element.isSpatial ? "RTree" : "Binary"),
                ("order", element.isDescending ? "descending" : "ascending"),
            ])
    }

    mutating func setIndex(_ path: ModelPath, _ elements: [ModelEdit.IndexElement]) throws {
        guard path.kind == "fetchIndex" else { throw ModelEditError("Only an index has elements.") }
        guard !elements.isEmpty else {
            throw ModelEditError("An index needs at least one property or expression.", attribute: "elements")
        }
        for element in elements {
            if let text = element.expression {
                do { _ = try SourceDerivation.read(text) } catch {
                    throw ModelEditError("The expression can't be read: \(error)", attribute: "elements")
                }
            } else if element.property?.isEmpty != false {
                throw ModelEditError("An element of the index names no property.", attribute: "elements")
            }
        }
        let new = elements.map(Self.indexElement)
        try root.update(at: path) { Self.replaceChildren(of: &$0, with: new, level: path.steps.count) }
        touch(path)
        outcome.selection = path
        outcome.label = "Set the elements of \(path.name ?? "")"
    }

    mutating func setMembers(_ configuration: String, _ names: [String]) throws {
        let path = ModelPath.model.child("configuration", configuration)
        for name in names where root.child("entity", name) == nil {
            throw ModelEditError("There is no entity ‘\(name)’.")
        }
        let wanted = Set(names)
        try root.update(at: path) {
            $0.removeChildren { $0.name == "memberEntity" && !wanted.contains($0["name"] ?? "") }
        }
        let present = Set(try require(path).children.compactMap { $0["name"] })
        for name in wanted.subtracting(present).sorted() {
            try insert(SourceTree("memberEntity", [("name", name)]), into: path)
        }
        touch(path)
        outcome.selection = path
        outcome.label = "Set the entities of \(configuration)"
    }

    // MARK: The diagram

    /// The size of a box in Xcode's drawing.
    private static func height(of entity: SourceTree) -> Int { 44 + 15 * entity.properties.count }

    mutating func place(_ positions: [String: ModelEdit.Position]) throws {
        let path = ModelPath.model.child("elements")
        if root.child(named: "elements") == nil { try insert(SourceTree("elements"), into: .model) }
        for (name, position) in positions.sorted(by: { $0.key < $1.key }) {
            guard let entity = root.child("entity", name) else { continue }
            if try require(path).child("element", name) != nil {
                try root.update(at: path.child("element", name)) { element in
                    element.set("positionX", String(position.x))
                    element.set("positionY", String(position.y))
                }
            } else {
                let element = SourceTree(
                    "element",
                    [
                        ("name", name), ("positionX", String(position.x)), ("positionY", String(position.y)),
                        ("width", "128"), ("height", String(Self.height(of: entity))),
                    ])
                try insert(element, into: path)
            }
            outcome.touched.insert("element:\(name)")
        }
        outcome.label = positions.count == 1 ? "Move \(positions.keys.first ?? "")" : "Arrange the diagram"
    }
}
