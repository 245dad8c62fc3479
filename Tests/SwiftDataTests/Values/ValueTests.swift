import CoreData

/// Values after a save, as another context reads them.
@Suite struct ValueTests {
    private func saved(_ change: (Recipe) -> Void) throws -> Recipe {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        let recipe = Recipe(title: "Soup")
        change(recipe)
        context.insert(recipe)
        try context.save()
        return try requireValue(try ModelContext(container).fetch(FetchDescriptor<Recipe>()).first)
    }

    @Test func enumerationWithTextIsSaved() throws {
        try expectEqual(saved { $0.course = .dessert }.course, .dessert)
    }

    @Test func optionalEnumerationIsSaved() throws {
        try expectEqual(saved { $0.difficulty = .hard }.difficulty, .hard)
        try expectEqual(saved { $0.difficulty = nil }.difficulty, nil)
    }

    @Test func structureIsSaved() throws {
        let source = Source(name: "Larousse", page: 12, authors: ["A", "B"])
        try expectEqual(saved { $0.source = source }.source, source)
        try expectEqual(saved { $0.source = nil }.source, nil)
    }

    @Test func stringsAreSaved() throws {
        try expectEqual(saved { $0.tags = ["quick", "cheap"] }.tags, ["quick", "cheap"])
    }

    @Test func largeDataIsSaved() throws {
        let photo = Data(repeating: 7, count: 300_000)
        try expectEqual(saved { $0.photo = photo }.photo, photo)
    }

    @Test func urlAndDecimalAreSaved() throws {
        let url = try requireValue(URL(string: "https://example.org/soup"))
        let recipe = try saved {
            $0.website = url
            $0.cost = Decimal(string: "12.34")!
        }
        expectEqual(recipe.website, url)
        expectEqual(recipe.cost, Decimal(string: "12.34"))
    }

    @Test func allPlainTypesAreSaved() throws {
        let container = try ModelContainer(
            for: EveryType.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let model = EveryType()
        context.insert(model)
        try context.save()
        let read = try requireValue(try ModelContext(container).fetch(FetchDescriptor<EveryType>()).first)
        expectEqual(read.int8, -8)
        expectEqual(read.uint64, .max)
        expectEqual(read.float, 1.5)
        expectEqual(read.uuid, model.uuid)
        expectEqual(read.flags, [.two])
        expectEqual(read.payload, .range(low: 1, high: 9))
        expectEqual(read.optionalPayload, nil)
        expectEqual(read.outer, Outer(name: "o", inner: Inner(x: 1, y: nil), list: [Inner(x: 2, y: 3)], kind: .b))
        expectEqual(read.structures, [Inner(x: 5, y: 6)])
        expectEqual(read.counts, ["a": 1, "b": 2])
        expectEqual(read.renamed, Renamed(firstName: "Ada"))
        expectEqual(read.single, Single(text: "t"))
    }

    @Test(arguments: [Payload.empty, .text(""), .text("empty"), .range(low: 0, high: -1)])
    func payloadIsSaved(_ payload: Payload) throws {
        let folder = try TemporaryFolder()
        try expectEqual(saved(in: folder) { $0.optionalPayload = payload }.optionalPayload, payload)
    }

    @Test func caseWithoutPayloadIsStoredAsItsName() throws {
        let folder = try TemporaryFolder()
        let read = try saved(in: folder) {
            $0.optionalSpec = .algonquin
            $0.payload = .empty
        }
        expectEqual(read.spec, .negroni)
        expectEqual(read.optionalSpec, .algonquin)
        expectEqual(read.payload, .empty)

        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: [EveryType.self]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("values.store"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "EveryType")
            let object = try requireValue(try context.fetch(request).first)
            #expect(object.value(forKey: "spec") as? [String: String] == ["negroni": "negroni"])
            #expect(object.value(forKey: "optionalSpec") as? [String: String] == ["algonquin": "algonquin"])
            #expect(object.value(forKey: "payload") as? [String: String] == ["empty": "empty"])
        }
    }

    /// A model that was saved, as another context reads it.
    private func saved(in folder: TemporaryFolder, _ change: (EveryType) -> Void) throws -> EveryType {
        let container = try ModelContainer(
            for: EveryType.self, configurations: ModelConfiguration(url: folder.file("values.store")))
        let context = ModelContext(container)
        let model = EveryType()
        change(model)
        context.insert(model)
        try context.save()
        return try requireValue(try ModelContext(container).fetch(FetchDescriptor<EveryType>()).first)
    }

    @Test func transformableValueIsSaved() throws {
        ValueTransformer.setValueTransformer(PointTransformer(), forName: NSValueTransformerName("PointTransformer"))
        let container = try ModelContainer(
            for: Place.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Place(point: Point(x: 3, y: 4)))
        try context.save()
        let place = try requireValue(try ModelContext(container).fetch(FetchDescriptor<Place>()).first)
        expectEqual(place.point?.x, 3)
        expectEqual(place.point?.y, 4)
    }

    @Test func ephemeralValueIsNotSaved() throws {
        let container = try ModelContainer(
            for: EveryType.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let model = EveryType()
        model.ephemeral = "now"
        context.insert(model)
        try context.save()
        expectEqual(model.ephemeral, "now")
        try expectEqual(ModelContext(container).fetch(FetchDescriptor<EveryType>()).first?.ephemeral, nil)
    }
}

/// A value that isn't Codable.
final class Point: NSObject {
    let x: Int
    let y: Int

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

final class PointTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Point).map { Data("\($0.x) \($0.y)".utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }
}

@Model final class Place {
    @Attribute(.transformable(by: "PointTransformer")) var point: Point?

    init(point: Point) { self.point = point }
}

struct Flags: OptionSet, Codable, Equatable {
    let rawValue: Int
    static let one = Flags(rawValue: 1)
    static let two = Flags(rawValue: 2)
}

enum Spec: Codable, Equatable {
    case algonquin
    case negroni
}

enum Payload: Codable, Equatable {
    case empty
    case text(String)
    case range(low: Int, high: Int)
}

struct Inner: Codable, Equatable {
    var x: Int
    var y: Int?
}

struct Outer: Codable, Equatable {
    enum Kind: String, Codable {
        case a
        case b
    }
    var name: String
    var inner: Inner
    var list: [Inner]
    var kind: Kind
}

struct Renamed: Codable, Equatable {
    var firstName: String

    enum CodingKeys: String, CodingKey { case firstName = "first_name" }
}

struct Single: Codable, Equatable {
    var text: String

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

@Model final class EveryType {
    var int8: Int8 = -8
    var uint64: UInt64 = UInt64.max
    var float: Float = 1.5
    var uuid = UUID()
    var flags: Flags = Flags.two
    var payload: Payload = Payload.range(low: 1, high: 9)
    var optionalPayload: Payload?
    var spec: Spec = Spec.negroni
    var optionalSpec: Spec?
    var outer: Outer = Outer(name: "o", inner: Inner(x: 1, y: nil), list: [Inner(x: 2, y: 3)], kind: .b)
    var structures: [Inner] = [Inner(x: 5, y: 6)]
    var counts: [String: Int] = ["a": 1, "b": 2]
    var renamed: Renamed = Renamed(firstName: "Ada")
    var single: Single = Single(text: "t")
    @Attribute(.ephemeral) var ephemeral: String?

    init() {}
}
