import CoreData

/// Changes of attributes that are stored as composites: enumerations and Codable structures.
@Suite struct CompositeMigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file("composites.store")) }

    private func context(_ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil) throws
        -> ModelContext
    {
        ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: version), migrationPlan: plan, configurations: configuration))
    }

    private func makeFirst() throws {
        let context = try context(ParcelsV1.self)
        let home = ParcelsV1.Address(street: "Elm Street", city: "Springfield")
        context.insert(ParcelsV1.Parcel(number: 1, state: .packed, size: .small, route: .pickup, address: home))
        context.insert(
            ParcelsV1.Parcel(number: 2, state: .sent, size: .large, route: .carrier("Post"), address: home))
        try context.save()
    }

    private func parcels() throws -> [ParcelsV2.Parcel] {
        try makeFirst()
        let context = try context(ParcelsV2.self, ParcelsPlan.self)
        return try context.fetch(FetchDescriptor<ParcelsV2.Parcel>(sortBy: [SortDescriptor(\.number)]))
    }

    @Test func newCaseOfAnEnumerationWithRawValuesNeedsNoMigration() throws {
        try makeFirst()
        let context = try context(ParcelsWithLostState.self)
        let parcels = try context.fetch(FetchDescriptor<ParcelsWithLostState.Parcel>())
        expectEqual(Set(parcels.map(\.state)), [.packed, .sent])
        parcels[0].state = .lost
        try context.save()
        try expectEqual(context.fetchCount(FetchDescriptor<ParcelsWithLostState.Parcel>()), 2)
    }

    @Test func newCaseOfAnEnumerationWithRawValuesNeedsNoStage() throws { try LostStatePlan.check() }

    @Test func newCaseOfAnEnumerationWithPayloadsKeepsTheValues() throws {
        let parcels = try parcels()
        expectEqual(parcels.map(\.route), [.pickup, .carrier("Post")])
    }

    @Test func newCaseOfAnEnumerationWithPayloadsIsStored() throws {
        _ = try parcels()
        do {
            let context = try context(ParcelsV2.self)
            let parcel = try context.fetch(FetchDescriptor<ParcelsV2.Parcel>(sortBy: [SortDescriptor(\.number)]))[0]
            parcel.route = .locker(number: 12)
            try context.save()
        }
        let context = try context(ParcelsV2.self)
        let routes = try context.fetch(FetchDescriptor<ParcelsV2.Parcel>(sortBy: [SortDescriptor(\.number)]))
            .map(\.route)
        expectEqual(routes, [.locker(number: 12), .carrier("Post")])
    }

    @Test func newOptionalMemberOfAStructureIsNil() throws {
        let parcels = try parcels()
        expectEqual(parcels.map(\.address.street), ["Elm Street", "Elm Street"])
        expectEqual(parcels.map(\.address.city), ["Springfield", "Springfield"])
        expectEqual(parcels.map(\.address.country), [nil, nil])
    }

    @Test func newMemberWithADefaultInItsDecoderHasTheDefault() throws {
        let parcels = try parcels()
        expectEqual(parcels.map(\.insurance.limit), [0, 0])
        expectEqual(parcels.map(\.insurance.company), ["none", "none"])
    }

    @Test func newMemberWithoutADefaultIsRefusedWithItsName() throws {
        do { _ = try context(BoxesV1.self) }
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try context(BoxesV2.self, BoxesPlan.self)
        }
        expectEqual(error?.localizedDescription.contains("Box.size.width"), true)
        let checked = #expect(throws: SwiftDataError.loadIssueModelContainer) { try BoxesPlan.check() }
        expectEqual(checked?.localizedDescription.contains("Box.size.width"), true)
    }

    @Test func removedMemberIsGone() throws {
        let parcel = try requireValue(try parcels().first)
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: configuration.url)
        let address = model.entitiesByName["Parcel"]?.attributesByName["weight"] as? NSCompositeAttributeDescription
        expectEqual(address?.elements.map(\.name), ["grams"])
        expectEqual(parcel.weight.grams, 500)
    }

    @Test func enumerationIsRenamedAndGetsItsFormerNameAgain() throws {
        do {
            let context = try context(BadgesV1.self)
            context.insert(BadgesV1.Badge(grade: .high))
            try context.save()
        }
        let context = try context(BadgesV3.self, BadgesPlan.self)
        try expectEqual(context.fetch(FetchDescriptor<BadgesV3.Badge>()).map(\.grade), [.high])
    }

    @Test func otherRawTypeIsMovedByAStage() throws {
        let parcels = try parcels()
        expectEqual(parcels.map(\.size), [.small, .large])
    }

    @Test func otherRawTypeUnderTheSameNameIsRefusedByTheCheck() throws {
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try OtherRawTypePlan.check() }
        expectEqual(error?.localizedDescription.contains("size"), true)
    }

    @Test func unknownRawValueIsReadAsTheDefault() throws {
        try makeFirst()
        do {
            let context = try context(ParcelsWithLostState.self)
            for parcel in try context.fetch(FetchDescriptor<ParcelsWithLostState.Parcel>()) { parcel.state = .lost }
            try context.save()
        }
        // The older program doesn't know the case.
        let parcels = try context(ParcelsV1.self).fetch(FetchDescriptor<ParcelsV1.Parcel>())
        expectEqual(parcels.map(\.state), [.packed, .packed])
    }
}

private enum ParcelsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        var number: Int
        var state: State = State.packed
        var size: Size
        var route: Route
        var address: Address
        var insurance: Insurance = Insurance(limit: 0)
        var weight: Weight = Weight(grams: 500, tare: 20)

        init(number: Int, state: State, size: Size, route: Route, address: Address) {
            self.number = number
            self.state = state
            self.size = size
            self.route = route
            self.address = address
        }
    }

    enum State: String, Codable { case packed, sent }
    enum Size: Int, Codable { case small, large }

    enum Route: Codable, Hashable {
        case pickup
        case carrier(String)
    }

    struct Address: Codable, Hashable {
        var street: String
        var city: String
    }

    struct Insurance: Codable, Hashable { var limit: Int }

    struct Weight: Codable, Hashable {
        var grams: Int
        var tare: Int
    }
}

/// The schema of the first version with a further case of the state.
private enum ParcelsWithLostState: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 1, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        var number: Int
        var state: State = State.packed
        var size: ParcelsV1.Size
        var route: ParcelsV1.Route
        var address: ParcelsV1.Address
        var insurance: ParcelsV1.Insurance = ParcelsV1.Insurance(limit: 0)
        var weight: ParcelsV1.Weight = ParcelsV1.Weight(grams: 500, tare: 20)

        init(number: Int, address: ParcelsV1.Address) {
            self.number = number
            self.address = address
            size = .small
            route = .pickup
        }
    }

    enum State: String, Codable { case packed, sent, lost }
}

private enum LostStatePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ParcelsV1.self, ParcelsWithLostState.self] }
    static var stages: [MigrationStage] { [] }
}

/// Both forms of the size.
private enum ParcelsBetween: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 5, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        var number: Int
        var state: ParcelsV1.State = ParcelsV1.State.packed
        @Attribute(originalName: "size") var formerSize: ParcelsV1.Size
        var namedSize: ParcelsV2.Size?
        var route: ParcelsV2.Route
        var address: ParcelsV2.Address
        var insurance: ParcelsV2.Insurance = ParcelsV2.Insurance(limit: 0)
        var weight: ParcelsV2.Weight = ParcelsV2.Weight(grams: 500)

        init(number: Int, address: ParcelsV2.Address) {
            self.number = number
            self.address = address
            formerSize = .small
            route = .pickup
        }
    }
}

private enum ParcelsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        var number: Int
        var state: ParcelsV1.State = ParcelsV1.State.packed
        @Attribute(originalName: "namedSize") var size: Size?
        var route: Route
        var address: Address
        var insurance: Insurance = Insurance(limit: 0)
        var weight: Weight = Weight(grams: 500)

        init(number: Int, address: Address) {
            self.number = number
            self.address = address
            route = .pickup
        }
    }

    enum Size: String, Codable { case small, large }

    enum Route: Codable, Hashable {
        case pickup
        case carrier(String)
        case locker(number: Int)
    }

    struct Address: Codable, Hashable {
        var street: String
        var city: String
        var country: String?
    }

    /// A structure with a custom decoder.
    struct Insurance: Codable, Hashable {
        var limit: Int
        var company: String = "none"

        init(limit: Int) { self.limit = limit }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            limit = try container.decode(Int.self, forKey: .limit)
            company = try container.decodeIfPresent(String.self, forKey: .company) ?? "none"
        }
    }

    struct Weight: Codable, Hashable { var grams: Int }
}

private enum ParcelsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ParcelsV1.self, ParcelsBetween.self, ParcelsV2.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: ParcelsV1.self, toVersion: ParcelsBetween.self, willMigrate: nil,
                didMigrate: { context in
                    for parcel in try context.fetch(FetchDescriptor<ParcelsBetween.Parcel>()) {
                        parcel.namedSize = parcel.formerSize == .small ? .small : .large
                    }
                    try context.save()
                }),
            .lightweight(fromVersion: ParcelsBetween.self, toVersion: ParcelsV2.self),
        ]
    }
}

private enum BoxesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Box.self] }

    @Model final class Box {
        var size: Size

        init(size: Size) { self.size = size }
    }

    struct Size: Codable { var height: Int }
}

private enum BoxesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Box.self] }

    @Model final class Box {
        var size: Size

        init(size: Size) { self.size = size }
    }

    struct Size: Codable {
        var height: Int
        var width: Int
    }
}

private enum BoxesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BoxesV1.self, BoxesV2.self] }
    static var stages: [MigrationStage] { [] }
}

private enum ParcelsWithTextSize: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        var number: Int
        var size: ParcelsV2.Size

        init(number: Int) {
            self.number = number
            size = .small
        }
    }
}

private enum OtherRawTypePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ParcelsV1.self, ParcelsWithTextSize.self] }
    static var stages: [MigrationStage] { [] }
}

private enum BadgesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Badge.self] }

    enum Grade: String, Codable { case low, high }

    @Model final class Badge {
        var grade: Grade

        init(grade: Grade) { self.grade = grade }
    }
}

private enum BadgesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Badge.self] }

    @Model final class Badge {
        @Attribute(originalName: "grade") var level: BadgesV1.Grade

        init(level: BadgesV1.Grade) { self.level = level }
    }
}

private enum BadgesV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Badge.self] }

    @Model final class Badge {
        var grade: BadgesV1.Grade
        var note: String?

        init(grade: BadgesV1.Grade) { self.grade = grade }
    }
}

private enum BadgesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BadgesV1.self, BadgesV2.self, BadgesV3.self] }
    static var stages: [MigrationStage] { [] }
}
