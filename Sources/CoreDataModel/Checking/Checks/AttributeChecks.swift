// SPDX-License-Identifier: Apache-2.0

/// A stored attribute needs a type.
enum AttributeTypeCheck: ModelCheck {
    static let findsErrors = true

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

/// Transformable values need a transformer that accepts expected classes only.
enum TransformerCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, attribute: NSAttributeDescription) in
            guard attribute.attributeType == .transformableAttributeType else {
                return attribute.valueTransformerName.map {
                    [
                        ModelFinding(
                            .warning, .transformer, entity, attribute,
                            "names the value transformer '\($0)', but is not transformable")
                    ]
                } ?? []
            }
            let name = attribute.valueTransformerName
            guard name == nil || insecure.contains(name ?? "") else { return [] }
            let used = name.map { "the insecure value transformer '\($0)'" } ?? "no value transformer"
            return [
                ModelFinding(
                    .warning, .transformer, entity, attribute,
                    """
                    is transformable with \(used): use NSSecureUnarchiveFromData or a subclass of \
                    NSSecureUnarchiveFromDataTransformer
                    """
                )
            ]
        }
    }

    private static let insecure: Set<String> = [
        "", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    ]
}
