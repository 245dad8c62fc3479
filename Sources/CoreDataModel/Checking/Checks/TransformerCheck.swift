/// Transformable values should go through a transformer that reads nothing but what it expects.
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
            let used = name.map { "the insecure value transformer '\($0)'" } ?? "no value transformer of its own"
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
