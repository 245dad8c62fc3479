// SPDX-License-Identifier: Apache-2.0

/// Setting attributes, and the changes that follow from them.
extension ModelEditing {
    mutating func set(_ path: ModelPath, _ attribute: String, _ given: String?) throws {
        let element = try require(path)
        if attribute == "name", path.name != nil {
            return try rename(path, to: given ?? "", keepsValues: false)
        }
        if path.kind == "entity", ["className", "module"].contains(attribute) {
            return try setClass(path, attribute, given ?? "")
        }
        guard SourceOrder.attributes[element.name]?.contains(attribute) == true else {
            throw ModelEditError("\(ModelWords.kind(path.kind)) has no setting \(attribute).", attribute: attribute)
        }
        let value = try AttributeValue.checked(given, attribute, of: element)
        outcome.selection = path
        outcome.label = "Set \(attribute) of \(path.name ?? ModelWords.kind(path.kind))"
        touch(path)
        switch (path.kind, attribute) {
        case ("attribute", "attributeType"): try setType(value ?? "Undefined", of: path)
        case ("attribute", "derivationExpression"):
            try set("derived", value == nil ? nil : "YES", at: path)
            try set(attribute, value, at: path)
        case ("attribute", "derived"):
            try set(attribute, value, at: path)
            if value == nil { try set("derivationExpression", nil, at: path) }
        case ("entity", "parentEntity"): try setParent(value, of: path)
        case ("relationship", "destinationEntity"): try setDestination(value, of: path)
        case ("relationship", "inverseName"): try setInverse(value, of: path)
        case ("relationship", "toMany"): try setIsToMany(value == "YES", path)
        case ("fetchRequest", "entity"):
            guard let value else { throw ModelEditError("A fetch request needs an entity.", attribute: attribute) }
            try requireEntity(value, attribute)
            try set(attribute, value, at: path)
        case ("model", "userDefinedModelVersionIdentifier"):
            // Xcode writes it always.
            try set(attribute, value ?? "", at: path)
        default: try set(attribute, value, at: path)
        }
    }

    private func requireEntity(_ name: String, _ attribute: String) throws {
        guard root.child("entity", name) != nil else {
            throw ModelEditError("There is no entity ‘\(name)’.", attribute: attribute)
        }
    }

    // MARK: Attributes

    /// Sets a type. Settings that the type can't have go.
    mutating func setType(_ type: String, of path: ModelPath) throws {
        guard SourceSpelling.attributeType(named: type) != nil else {
            throw ModelEditError("There is no type ‘\(type)’.", attribute: "attributeType")
        }
        let composite = root.child(named: "composite")?["name"]
        let element = try require(path)
        guard type != "Composite" || element["composite"] != nil || composite != nil else {
            throw ModelEditError("There is no composite yet. Add one to the model first.", attribute: "attributeType")
        }
        try root.update(at: path) { element in
            let old = element["attributeType"]
            element.set("attributeType", type == "Undefined" ? nil : type)
            guard old != type else { return }
            let isNumber = SourceSpelling.isNumber(type)
            if type != "Date" {
                for name in ["defaultDateTimeInterval", "minDateTimeInterval", "maxDateTimeInterval"] {
                    element.set(name, nil)
                }
            }
            for name in ["defaultValueString", "minValueString", "maxValueString"] {
                let kept = try? AttributeValue.checked(element[name], name, of: element)
                let isLimit = name != "defaultValueString"
                let hasLimits = isNumber && old.map(SourceSpelling.isNumber) ?? false
                let isDropped = isLimit ? !hasLimits : ["Date", "Binary", "Transformable", "Composite"].contains(type)
                element.set(name, isDropped ? nil : kept)
            }
            if type != "String" { element.set("regularExpressionString", nil) }
            if type != "Transformable" {
                element.set("valueTransformerName", nil)
                element.set("customClassName", nil)
            }
            if type != "Binary" { element.set("allowsExternalBinaryDataStorage", nil) }
            element.set("composite", type == "Composite" ? element["composite"] ?? composite : nil)
            let isScalar = isNumber && type != "Decimal" || type == "Boolean"
            let isBoxed = type == "Date" || type == "UUID"
            element.set("usesScalarValueType", isScalar ? "YES" : isBoxed ? "NO" : nil)
            if isNumber, element["defaultValueString"] == nil, old == nil {
                element.set("defaultValueString", type.hasPrefix("Integer") ? "0" : "0.0")
            }
        }
    }

    // MARK: Entities

    private mutating func setClass(_ path: ModelPath, _ attribute: String, _ given: String) throws {
        let text = given.trimmingCharacters(in: .whitespaces)
        var name = ModelClassName(try require(path)["representedClassName"])
        if attribute == "className" { name.name = text } else { name.module = text }
        let isModule = attribute == "module" && (text.isEmpty || text == ".")
        guard isModule || text.isEmpty || SwiftName.isIdentifier(text) else {
            throw ModelEditError(
                "‘\(text)’ is no name of a \(attribute == "module" ? "module" : "class").", attribute: attribute)
        }
        try set("representedClassName", name.text, at: path)
        touch(path)
        outcome.selection = path
        outcome.label = "Set the class of \(path.name ?? "")"
    }

    private mutating func setParent(_ parent: String?, of path: ModelPath) throws {
        let name = path.name ?? ""
        if let parent {
            try requireEntity(parent, "parentEntity")
            guard parent != name, !descendants(of: name).contains(parent) else {
                throw ModelEditError(
                    "‘\(parent)’ can't be the parent of ‘\(name)’: it would inherit from itself.",
                    attribute: "parentEntity")
            }
        }
        try set("parentEntity", parent, at: path)
        touchAll()
    }

    // MARK: Relationships

    mutating func setIsToMany(_ isToMany: Bool, _ path: ModelPath) throws {
        try root.update(at: path) { element in
            element.set("toMany", isToMany ? "YES" : nil)
            element.set("maxCount", isToMany ? nil : "1")
            if !isToMany {
                element.set("minCount", nil)
                element.set("ordered", nil)
            }
        }
    }

    private mutating func setDestination(_ destination: String?, of path: ModelPath) throws {
        guard let destination else {
            throw ModelEditError("A relationship needs a destination.", attribute: "destinationEntity")
        }
        try requireEntity(destination, "destinationEntity")
        removeInverse(of: try require(path), path)
        try root.update(at: path) { element in
            element.set("destinationEntity", destination)
            element.set("inverseName", nil)
            element.set("inverseEntity", nil)
        }
        touchAll()
    }

    /// The path of the inverse of a relationship: in the hierarchy of its destination.
    func inverse(of element: SourceTree) -> ModelPath? {
        guard let name = element["inverseName"] else { return nil }
        let owners = [element["inverseEntity"], element["destinationEntity"]].compactMap { $0 }
        for owner in owners {
            for entity in ancestry(of: owner) where root.child("entity", entity)?.child("relationship", name) != nil {
                return ModelPath.entity(entity).child("relationship", name)
            }
        }
        return nil
    }

    /// Removes the inverse's reference to a relationship.
    mutating func removeInverse(of element: SourceTree, _ path: ModelPath) {
        guard let other = inverse(of: element), other != path, let back = root.element(at: other),
            inverse(of: back) == path
        else { return }
        try? root.update(at: other) { element in
            element.set("inverseName", nil)
            element.set("inverseEntity", nil)
        }
        touch(other)
    }

    private mutating func setInverse(_ name: String?, of path: ModelPath) throws {
        let element = try require(path)
        removeInverse(of: element, path)
        touchAll()
        guard let name else {
            try set("inverseName", nil, at: path)
            try set("inverseEntity", nil, at: path)
            return
        }
        let destination = element["destinationEntity"] ?? ""
        guard
            let owner = ancestry(of: destination).first(where: {
                root.child("entity", $0)?.child("relationship", name) != nil
            })
        else {
            throw ModelEditError(
                "The destination ‘\(destination)’ has no relationship ‘\(name)’.", attribute: "inverseName")
        }
        let other = ModelPath.entity(owner).child("relationship", name)
        let back = try require(other)
        let entity = path.entityName ?? ""
        guard let target = back["destinationEntity"],
            ancestry(of: entity).contains(target) || ancestry(of: target).contains(entity)
        else {
            throw ModelEditError(
                "‘\(owner).\(name)’ leads to ‘\(back["destinationEntity"] ?? "")’, not to ‘\(entity)’.",
                attribute: "inverseName")
        }
        removeInverse(of: back, other)
        try root.update(at: path) { element in
            element.set("inverseName", name)
            element.set("inverseEntity", owner)
        }
        try root.update(at: other) { element in
            element.set("inverseName", path.name)
            element.set("inverseEntity", entity)
        }
    }
}
