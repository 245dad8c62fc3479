import SwiftData
import TestSupport
import Testing

/// Identifiers that were decoded from altered JSON.
@Suite("Altered identifiers")
struct AlteredIdentifierTests {
    /// The fields of an encoded identifier.
    private struct Fields {
        var primaryKey: Any?
        var entityName: Any?
        var storeIdentifier: Any?
        var isTemporary: Any?
        var uriRepresentation: Any?

        func decoded() throws -> PersistentIdentifier {
            var parts: [String: Any] = [:]
            parts["primaryKey"] = primaryKey
            parts["entityName"] = entityName
            parts["storeIdentifier"] = storeIdentifier
            parts["isTemporary"] = isTemporary
            parts["uriRepresentation"] = uriRepresentation
            let json = try JSONSerialization.data(withJSONObject: ["implementation": parts])
            return try JSONDecoder().decode(PersistentIdentifier.self, from: json)
        }
    }

    private func fields(_ identifier: PersistentIdentifier) throws -> Fields {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(identifier)) as? [String: Any]
        let parts = try requireValue(object?["implementation"] as? [String: Any])
        return Fields(
            primaryKey: parts["primaryKey"], entityName: parts["entityName"], storeIdentifier: parts["storeIdentifier"],
            isTemporary: parts["isTemporary"], uriRepresentation: parts["uriRepresentation"])
    }

    // MARK: Fields of other types

    @Test("A field of another type is an error")
    func wrongTypes() throws {
        let store = try KennelStore()
        for identifier in store.identifiers {
            let whole = try fields(identifier)
            for value in [1, -1.5, true, NSNull(), [Any](), ["a": 1], [["p1"]]] as [Any] {
                var altered = whole
                altered.primaryKey = value
                #expect(throws: DecodingError.self) { _ = try altered.decoded() }
                altered = whole
                altered.entityName = value
                #expect(throws: DecodingError.self) { _ = try altered.decoded() }
                if value is NSNull { continue }
                altered = whole
                altered.storeIdentifier = value
                #expect(throws: DecodingError.self) { _ = try altered.decoded() }
                altered = whole
                altered.uriRepresentation = value
                #expect(throws: DecodingError.self) { _ = try altered.decoded() }
                if (value as? NSNumber) == 1 { continue }
                altered = whole
                altered.isTemporary = value is Bool ? "true" : value
                #expect(throws: DecodingError.self) { _ = try altered.decoded() }
            }
        }
        for text in ["", "{}", "[]", "null", #"{"implementation":null}"#, #"{"implementation":{}}"#, "\"x\""] {
            #expect(throws: DecodingError.self) {
                _ = try JSONDecoder().decode(PersistentIdentifier.self, from: Data(text.utf8))
            }
        }
    }

    // MARK: Other values

    @Test("A URI that contradicts the other fields is an error")
    func contradiction() throws {
        let store = try KennelStore()
        let (cat, owner) = (try fields(store.identifiers[0]), try fields(store.identifiers[3]))
        for other in [owner.uriRepresentation, "https://example.org/", "x-coredata://A/Cat/p1", "", "x y"] {
            var altered = cat
            altered.uriRepresentation = other
            #expect(throws: DecodingError.self, "\(other ?? "")") { _ = try altered.decoded() }
        }
        var without = cat
        without.uriRepresentation = nil
        try expectEqual(without.decoded(), store.identifiers[0])
    }

    @Test("The identifier of an unsaved model is equal and has an equal hash after it is decoded")
    func temporaryIdentifier() throws {
        let store = try KennelStore()
        let context = ModelContext(store.container)
        let cat = Kennel.Cat("new")
        context.insert(cat)
        let decoded = try fields(cat.persistentModelID).decoded()
        expectEqual(decoded, cat.persistentModelID)
        expectEqual(Set([decoded, cat.persistentModelID]).count, 1)
    }

    @Test(
        "An identifier of a program's own store is equal after it is decoded, whatever its parts are",
        arguments: ["my store", "a/b", "é\u{0}", "[", "A:B@C", ""])
    func ownStores(text: String) throws {
        let identifier = try PersistentIdentifier.identifier(for: text, entityName: text, primaryKey: text)
        let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
        expectEqual(decoded, identifier)
        expectEqual(decoded.hashValue, identifier.hashValue)
    }

    /// The use that a program makes of an identifier.
    private enum Use: CaseIterable {
        case model, registered, fetch, fetchRelated, fetchIdentifiers, count, relate, relateMany, insert, history
        case coding, deleteModel, deleteWhere
    }

    @Test("An altered identifier names its row or none, whatever a program does with it")
    func uses() throws {
        var store = try KennelStore()
        let expected = try Kennel.rows(store.container)
        var generator = SeededGenerator(seed: TestRun.seed(for: "AlteredIdentifierTests"))
        let other = try KennelStore()
        let foreign = try fields(other.identifiers[0])
        let entities = ["Cat", "Dog", "Pet", "Owner", "Unknown", "", "a/b", "é\u{0}", "cat"]
        let keys =
            ["p1", "p2", "p3", "p0", "p-1", "p+1", "p01", "p99", "t1", "p", "", "x", "p1/p2", "p\(Int64.max)"]
            + ["p99999999999999999999", "p1\u{0}", "\u{1F600}"]
        for _ in 0..<TestRun.quick(100, long: 6000) {
            var altered = try fields(store.identifiers.randomElement(using: &generator) ?? store.identifiers[0])
            altered.uriRepresentation = nil
            if generator.chance(1, of: 2) { altered.entityName = entities.randomElement(using: &generator) }
            if generator.chance(1, of: 2) { altered.primaryKey = keys.randomElement(using: &generator) }
            if generator.chance(1, of: 4) {
                let stores = [foreign.storeIdentifier, nil, "", "a b"]
                altered.storeIdentifier = stores.randomElement(using: &generator) ?? nil
            }
            if generator.chance(1, of: 6) { altered.isTemporary = true }
            let identifier = try altered.decoded()
            let use = Use.allCases.randomElement(using: &generator) ?? .model
            let context = ModelContext(store.container)
            if generator.chance(1, of: 2) { _ = try context.fetch(FetchDescriptor<Kennel.Pet>()).map(\.name) }
            let isNamed = store.isRow(identifier)
            try apply(use, identifier, context, isNamed: isNamed)
            let rows = try Kennel.rows(store.container)
            guard rows != expected else { continue }
            // Only an identifier that names a row may change it.
            expectContains([.deleteModel, .deleteWhere, .relate, .relateMany], use, "\(use) \(altered)")
            // A reference to a row that doesn't exist can be saved, as in Core Data. It reads as none.
            let isLost = use == .relate && rows.contains("Ann: [\"Rex\", \"Tom\"], ")
            #expect(isNamed || isLost, "\(use) \(altered): \(rows)")
            store = try KennelStore()
        }
    }

    private func apply(_ use: Use, _ identifier: PersistentIdentifier, _ context: ModelContext, isNamed: Bool) throws {
        switch use {
        case .model:
            let model = context.model(for: identifier)
            _ = (model.persistentModelID == identifier, model.modelContext === context, model.hasChanges)
        case .registered:
            let pet: Kennel.Pet? = context.registeredModel(for: identifier)
            let cat: Kennel.Cat? = context.registeredModel(for: identifier)
            let owner: Kennel.Owner? = context.registeredModel(for: identifier)
            _ = (pet?.name, cat?.lives, owner?.name)
        case .fetch:
            let pets = try context.fetch(
                FetchDescriptor<Kennel.Pet>(predicate: #Predicate { $0.persistentModelID == identifier }))
            let cats = try context.fetch(
                FetchDescriptor<Kennel.Cat>(predicate: #Predicate { $0.persistentModelID == identifier }))
            let owners = try context.fetch(
                FetchDescriptor<Kennel.Owner>(predicate: #Predicate { $0.persistentModelID == identifier }))
            expectEqual(pets.count + owners.count, (isNamed ? 1 : 0), "\(identifier)")
            #expect(cats.allSatisfy { cat in pets.contains { $0 === cat } })
        case .fetchRelated:
            let owners = try context.fetch(
                FetchDescriptor<Kennel.Owner>(predicate: #Predicate { $0.favourite?.persistentModelID == identifier }))
            let pets = try context.fetch(
                FetchDescriptor<Kennel.Pet>(predicate: #Predicate { $0.owner?.persistentModelID == identifier }))
            let some = try context.fetch(
                FetchDescriptor<Kennel.Owner>(
                    predicate: #Predicate { owner in owner.pets.contains { $0.persistentModelID == identifier } }))
            #expect(isNamed || owners.isEmpty && pets.isEmpty && some.isEmpty, "\(identifier)")
        case .fetchIdentifiers:
            let list = [identifier]
            let found = try context.fetchIdentifiers(
                FetchDescriptor<Kennel.Pet>(predicate: #Predicate { list.contains($0.persistentModelID) }))
            #expect(isNamed || found.isEmpty, "\(identifier)")
        case .count:
            let count = try context.fetchCount(
                FetchDescriptor<Kennel.Pet>(predicate: #Predicate { $0.persistentModelID != identifier }))
            #expect((2...3).contains(count), "\(identifier)")
        case .relate:
            let owner = try requireValue(try context.fetch(FetchDescriptor<Kennel.Owner>()).first)
            if let cat = context.model(for: identifier) as? Kennel.Cat { owner.favourite = cat }
            try? context.save()
        case .relateMany:
            let owner = try requireValue(try context.fetch(FetchDescriptor<Kennel.Owner>()).first)
            if let pet = context.model(for: identifier) as? Kennel.Pet { owner.pets.append(pet) }
            try? context.save()
        case .insert:
            let model = context.model(for: identifier)
            if model.modelContext != nil { context.insert(model) }
            try? context.save()
        case .history:
            let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            let changes = transactions.flatMap(\.changes).filter { $0.changedPersistentIdentifier == identifier }
            #expect(isNamed || changes.isEmpty, "\(identifier)")
        case .coding:
            let again = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
            expectEqual(again, identifier)
            expectEqual(again.hashValue, identifier.hashValue)
            _ = (identifier < again, identifier.debugDescription, identifier.id)
        case .deleteModel:
            let model = context.model(for: identifier)
            if model.modelContext != nil { context.delete(model) }
            try? context.save()
        case .deleteWhere:
            try context.delete(
                model: Kennel.Pet.self, where: #Predicate { $0.persistentModelID == identifier })
            try context.save()
        }
    }

    // MARK: Tokens of the history

    @Test("An altered token of the history is an error, or finds a part of the history")
    func tokens() throws {
        let store = try KennelStore()
        let context = ModelContext(store.container)
        let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        let token = try requireValue(all.last?.token)
        let text = try requireValue(String(data: JSONEncoder().encode(token), encoding: .utf8))
        let number = try requireValue(token.tokenValue?.values.first)
        for value in ["0", "-1", "\(Int64.max)", "\(Int64.min)", "1e300", "1.5", "null", "\"1\"", "[]", "{}", "true"] {
            let altered = text.replacingOccurrences(of: ":\(number)", with: ":\(value)")
            let decoded = try? JSONDecoder().decode(DefaultHistoryToken.self, from: Data(altered.utf8))
            guard let token = decoded else { continue }
            do {
                let after = try context.fetchHistory(
                    HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
                #expect(after.count <= all.count, "\(value)")
            } catch {
                #expect(error is SwiftDataError, "\(value)")
            }
            _ = (token < token, token == token, token.hashValue)
        }
    }
}

/// A store in a file with a cat, a dog, a pet and an owner.
private struct KennelStore {
    let folder: TemporaryFolder
    let container: ModelContainer
    /// The identifiers of the cat, the dog, the pet and the owner.
    let identifiers: [PersistentIdentifier]

    init() throws {
        folder = try TemporaryFolder()
        container = try Kennel.container(folder.file("kennel.store"))
        let context = ModelContext(container)
        try Kennel.fill(context)
        let pets = try context.fetch(FetchDescriptor<Kennel.Pet>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
        let owner = try requireValue(try context.fetch(FetchDescriptor<Kennel.Owner>()).first)
        // Tom, Rex, Pat.
        identifiers = pets.map(\.persistentModelID) + [owner.persistentModelID]
    }

    /// Whether an identifier names a row, by the row's entity or a superentity.
    func isRow(_ identifier: PersistentIdentifier) -> Bool {
        if identifier.isTemporary { return false }
        if identifiers.contains(identifier) { return true }
        guard identifier.entityName == "Pet" else { return false }
        return identifiers.prefix(3).contains { own in
            [own.entityName, "Pet"].contains(identifier.entityName)
                && identifier.debugDescription
                    == own.debugDescription.replacingOccurrences(
                        of: "/\(own.entityName)/", with: "/Pet/")
        }
    }
}
