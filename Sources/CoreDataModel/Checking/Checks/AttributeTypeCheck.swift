/// A stored attribute needs a type.
enum AttributeTypeCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, attribute: NSAttributeDescription) in
            switch attribute.attributeType {
            case .undefinedAttributeType where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription):
                return [ModelFinding(.error, .type, entity, attribute, "must have a defined type")]
            case .objectIDAttributeType:
                return [
                    ModelFinding(
                        .error, .type, entity, attribute,
                        "has the type ObjectID, which only expressions of fetch requests have")
                ]
            default:
                break
            }
            if let derived = attribute as? NSDerivedAttributeDescription, derived.derivationExpression == nil {
                return [ModelFinding(.warning, .type, entity, attribute, "is derived, but has no derivation")]
            }
            return []
        }
    }
}
