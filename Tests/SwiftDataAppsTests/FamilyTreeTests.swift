import Foundation
import SwiftData
import Testing

@Suite struct FamilyTreeTests {
    let store: AppStore

    init() throws { store = try AppStore(FamilyMember.self, FamilyDocument.self) }

    private func fill(_ context: ModelContext) {
        let rosa = FamilyMember("Rosa", "Klein", sex: .female)
        let emil = FamilyMember("Emil", "Klein", sex: .male)
        rosa.marry(emil)
        rosa.birth = LifeEvent(year: 1_901, month: 4, place: "Graz", sources: ["Book 7"])
        let otto = FamilyMember("Otto", "Klein", sex: .male, mother: rosa, father: emil)
        let lia = FamilyMember("Lia", mother: FamilyMember("Ann", sex: .female), father: otto)
        let letter = FamilyDocument(title: "Letter", scannedOn: day(1), scan: Data(repeating: 3, count: 120_000))
        letter.mentioned = [rosa, otto]
        context.insert(lia)
    }

    @Test func youngestMemberBringsTheFamily() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.count(FamilyMember.self), 5)
        try expectEqual(context.count(FamilyDocument.self), 1)
    }

    @Test func motherAndFatherStayApart() throws {
        let context = try store.relaunched(after: fill)
        let rosa = try context.one(FamilyMember.self, where: #Predicate { $0.givenName == "Rosa" })
        expectEqual(rosa.childrenAsMother.map(\.givenName), ["Otto"])
        expectEmpty(rosa.childrenAsFather)
        expectEqual(rosa.descendants, 2)
    }

    @Test func spousesAreOneToOne() throws {
        let context = try store.relaunched(after: fill)
        let rosa = try context.one(FamilyMember.self, where: #Predicate { $0.givenName == "Rosa" })
        expectEqual(rosa.spouse?.givenName, "Emil")
        #expect(rosa.spouseOf === rosa.spouse)
        rosa.spouse = nil
        try context.save()
        let after = try store.launch()
        let emil = try after.one(FamilyMember.self, where: #Predicate { $0.givenName == "Emil" })
        expectEqual(emil.spouseOf, nil)
        expectEqual(emil.spouse?.givenName, "Rosa")
    }

    @Test func grandmotherIsAsked() throws {
        let context = try store.relaunched(after: fill)
        let grandchildren = #Predicate<FamilyMember> { $0.father?.mother?.givenName == "Rosa" }
        try expectEqual(context.one(FamilyMember.self, where: grandchildren).givenName, "Lia")
    }

    @Test func captureOfAnIdentifierIsAsked() throws {
        let context = try store.relaunched(after: fill)
        let rosa = try context.one(FamilyMember.self, where: #Predicate { $0.givenName == "Rosa" })
        let identifier = rosa.persistentModelID
        let children = #Predicate<FamilyMember> { $0.mother?.persistentModelID == identifier }
        try expectEqual(context.one(FamilyMember.self, where: children).givenName, "Otto")
    }

    @Test func optionalMembersOfAStructureAreRead() throws {
        let context = try store.relaunched(after: fill)
        let rosa = try context.one(FamilyMember.self, where: #Predicate { $0.givenName == "Rosa" })
        expectEqual(rosa.birth, LifeEvent(year: 1_901, month: 4, place: "Graz", sources: ["Book 7"]))
        expectEqual(rosa.death, nil)
        rosa.death = LifeEvent(year: 1_990)
        try context.save()
        let after = try store.launch()
        let again = try after.one(FamilyMember.self, where: #Predicate { $0.givenName == "Rosa" })
        expectEqual(again.death, LifeEvent(year: 1_990))
    }

    @Test func deletedMotherLeavesTheChildren() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(FamilyMember.self, where: #Predicate { $0.givenName == "Rosa" }))
        try context.save()
        let after = try store.launch()
        let otto = try after.one(FamilyMember.self, where: #Predicate { $0.givenName == "Otto" })
        expectEqual(otto.mother, nil)
        expectEqual(otto.father?.givenName, "Emil")
        try expectEqual(after.one(FamilyDocument.self).mentioned.count, 1)
    }

    @Test func missingTextIsSortedFirst() throws {
        let context = try store.relaunched(after: fill)
        let descriptor = FetchDescriptor<FamilyMember>(
            sortBy: [SortDescriptor(\.familyName), SortDescriptor(\.givenName)])
        try expectEqual(context.fetch(descriptor).map(\.givenName), ["Ann", "Lia", "Emil", "Otto", "Rosa"])
    }
}
