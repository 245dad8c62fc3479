// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription {
    /// The first property that redeclares an inherited property with another kind, type, cardinality or destination.
    /// The rows of a hierarchy have one column for both.
    final var redeclarationProblem: ModelProblem? {
        guard let parent = superentityStorage else { return nil }
        for property in ownPropertyStorage {
            guard let inherited = parent.property(named: property.nameStorage),
                let difference = property.difference(from: inherited)
            else { continue }
            return ModelProblem(
                entityName: nameStorage, key: property.nameStorage,
                message: """
                    property '\(property.nameStorage)' of entity '\(nameStorage ?? "")' is declared by an ancestor \
                    as well, \(difference); rename one of them.
                    """)
        }
        return nil
    }
}

extension NSPropertyDescription {
    /// The forbidden difference between a declaration and the inherited property of the same name; nil if there is
    /// none.
    fileprivate final func difference(from inherited: NSPropertyDescription) -> String? {
        switch (self, inherited) {
        case (let own as NSAttributeDescription, let other as NSAttributeDescription):
            if own.attributeType != other.attributeType { return "with another type" }
            if (own is NSCompositeAttributeDescription) != (other is NSCompositeAttributeDescription) {
                return "as another kind of attribute"
            }
            return own.isTransient == other.isTransient
                ? nil : own.isTransient ? "but not as transient" : "as transient"
        case (let own as NSRelationshipDescription, let other as NSRelationshipDescription):
            if own.isToMany != other.isToMany { return own.isToMany ? "to one object" : "to many objects" }
            guard let destination = own.destinationEntity, let inherited = other.destinationEntity,
                !destination.isKindOf(entity: inherited)
            else { return nil }
            return "with the destination '\(inherited.name ?? "")'"
        case (is NSAttributeDescription, is NSRelationshipDescription): return "as a relationship"
        case (is NSRelationshipDescription, is NSAttributeDescription): return "as an attribute"
        default: return type(of: self) == type(of: inherited) ? nil : "as another kind of property"
        }
    }
}
