import Foundation
import SwiftData

enum Sex: String, Codable {
    case female, male, unknown
}

@Model
final class FamilyMember {
    var givenName: String
    var familyName: String?
    var sex: Sex
    var birth: LifeEvent?
    var death: LifeEvent?

    var mother: FamilyMember?
    var father: FamilyMember?
    @Relationship(deleteRule: .nullify, inverse: \FamilyMember.mother) var childrenAsMother: [FamilyMember] = []
    @Relationship(deleteRule: .nullify, inverse: \FamilyMember.father) var childrenAsFather: [FamilyMember] = []
    @Relationship(deleteRule: .nullify, inverse: \FamilyMember.spouseOf) var spouse: FamilyMember?
    var spouseOf: FamilyMember?
    @Relationship(deleteRule: .nullify, inverse: \FamilyDocument.mentioned) var documents: [FamilyDocument] = []

    init(
        _ givenName: String, _ familyName: String? = nil, sex: Sex = .unknown, mother: FamilyMember? = nil,
        father: FamilyMember? = nil
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.sex = sex
        self.mother = mother
        self.father = father
    }

    var children: [FamilyMember] { childrenAsMother + childrenAsFather }

    var descendants: Int { children.reduce(children.count) { $0 + $1.descendants } }

    func marry(_ other: FamilyMember) {
        spouse = other
        other.spouse = self
    }
}

/// A day in a life. What is not known is missing.
struct LifeEvent: Codable, Hashable {
    var year: Int
    var month: Int?
    var place: String?
    var sources: [String] = []
}

@Model
final class FamilyDocument {
    var title: String
    var scannedOn: Date
    @Attribute(.externalStorage, .preserveValueOnDeletion) var scan: Data
    var mentioned: [FamilyMember] = []

    init(title: String, scannedOn: Date, scan: Data) {
        self.title = title
        self.scannedOn = scannedOn
        self.scan = scan
    }
}
