import CoreData

final class FailedBankInfo: NSManagedObject, DescribedInCode {
    static let attributes = ["name", "city", "state"].map {
        AttributeRow(name: $0, type: .stringAttributeType, isOptional: false)
    }
    static let relationships = [
        RelationshipRow(
            name: "details", destination: "FailedBankDetails", inverse: "info", deleteRule: .cascadeDeleteRule,
            isRequired: true)
    ]
}

final class FailedBankDetails: NSManagedObject, DescribedInCode {
    static let attributes = [
        AttributeRow(name: "zip", type: .integer32AttributeType),
        AttributeRow(name: "closeDate", type: .dateAttributeType),
        AttributeRow(name: "updateDate", type: .dateAttributeType),
    ]
    static let relationships = [
        RelationshipRow(name: "info", destination: "FailedBankInfo", inverse: "details", deleteRule: .nullifyDeleteRule)
    ]
}
