import CoreDataModel

/// A complete text form of a mapping model. Two mapping models with equal texts are equal.
enum MappingText {
    static func text(of model: NSMappingModel) -> String {
        let mappings: [NSEntityMapping] = model.entityMappings
        return mappings.map(text).joined(separator: "\n")
    }

    private static func text(of mapping: NSEntityMapping) -> String {
        let lines = [
            "\(mapping.name ?? "-") type \(mapping.mappingType.rawValue)",
            "source \(mapping.sourceEntityName ?? "-") \(hash(mapping.sourceEntityVersionHash))",
            "destination \(mapping.destinationEntityName ?? "-") \(hash(mapping.destinationEntityVersionHash))",
            "from \(mapping.sourceExpression?.description ?? "-")",
            "policy \(mapping.entityMigrationPolicyClassName ?? "-")",
            "userInfo \(userInfo(mapping.userInfo))",
        ]
        let attributes = mapping.attributeMappings?.map { "attribute " + text(of: $0) } ?? ["no attributes"]
        let relationships = mapping.relationshipMappings?.map { "relationship " + text(of: $0) } ?? ["no relationships"]
        return (lines + attributes + relationships).joined(separator: "\n  ")
    }

    private static func text(of mapping: NSPropertyMapping) -> String {
        "\(mapping.name ?? "-") = \(mapping.valueExpression?.description ?? "-") \(userInfo(mapping.userInfo))"
    }

    private static func hash(_ data: Data?) -> String { data?.base64EncodedString() ?? "-" }

    private static func userInfo(_ userInfo: [AnyHashable: Any]?) -> String {
        guard let userInfo else { return "nil" }
        return userInfo.map { "\($0.key.base)=\($0.value)" }.sorted().joined(separator: ",")
    }
}
