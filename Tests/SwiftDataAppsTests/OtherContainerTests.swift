import Foundation
import SwiftData
import Testing

/// Other containers of the same classes, made by other threads while a program makes its models: new models have the
/// schema of the newest container, so the models of one graph have several schemas.
@Suite struct OtherContainerTests {
    /// The steps before which another container is made: one or two of the nine.
    static let steps = (0..<9).flatMap { first in (first..<9).map { Set([first, $0]) } }

    @Test(arguments: steps, [true, false])
    func graphOfSeveralSchemasIsInsertedWhole(before steps: Set<Int>, keepsContainers: Bool) throws {
        let store = try AppStore(FamilyMember.self, FamilyDocument.self)
        var others: [ModelContext] = []
        var step = 0
        func makeContainer() throws {
            if !keepsContainers { others.removeAll() }
            if steps.contains(step) { others.append(try memoryContext(for: FamilyMember.self, FamilyDocument.self)) }
            step += 1
        }
        let context = try store.relaunched { context in
            try makeContainer()
            let rosa = FamilyMember("Rosa")
            try makeContainer()
            let emil = FamilyMember("Emil")
            try makeContainer()
            rosa.marry(emil)
            try makeContainer()
            let otto = FamilyMember("Otto", mother: rosa, father: emil)
            try makeContainer()
            let ann = FamilyMember("Ann")
            try makeContainer()
            let lia = FamilyMember("Lia", mother: ann, father: otto)
            try makeContainer()
            let letter = FamilyDocument(title: "Letter", scannedOn: day(1), scan: Data())
            try makeContainer()
            letter.mentioned = [rosa, otto]
            try makeContainer()
            context.insert(lia)
        }
        let members = try context.fetch(FetchDescriptor<FamilyMember>(sortBy: [SortDescriptor(\.givenName)]))
        expectEqual(members.map(\.givenName), ["Ann", "Emil", "Lia", "Otto", "Rosa"])
        expectEqual(members.map { $0.mother?.givenName }, [nil, nil, "Ann", "Rosa", nil])
        expectEqual(members.map { $0.father?.givenName }, [nil, nil, "Otto", "Emil", nil])
        let letter = try context.one(FamilyDocument.self)
        expectEqual(letter.mentioned.map(\.givenName).sorted(), ["Otto", "Rosa"])
    }
}
