import CoreData
import CoreDataClasses

/// Schemas that `coredata model convert` writes: the sources beside this file are its results.
@Suite struct GeneratedSchemaTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    private func hashes(_ version: any VersionedSchema.Type) -> [String: Data]? {
        NSManagedObjectModel.makeManagedObjectModel(for: Schema(versionedSchema: version))?.entityVersionHashesByName
    }

    private func generator(_ name: String, _ model: NSManagedObjectModel) -> VersionedSchemaGenerator {
        VersionedSchemaGenerator([
            VersionedSchemaGenerator.Version(
                name: name, model: model, number: VersionedSchemaGenerator.number(of: model) ?? [1, 0, 0])
        ])
    }

    private func cinema() throws -> NSManagedObjectModel {
        try TextNotation.read(Data(Self.cinema.utf8), from: URL(fileURLWithPath: "Cinema.coredata"))
    }

    private func household() throws -> NSManagedObjectModel {
        try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: Schema(versionedSchema: HouseholdV6.self)))
    }

    @Test func sourceOfAModelOfCoreDataIsTheFile() throws {
        try expectEqual(generator("CinemaSchema", cinema()).source(), text("CinemaSchema.swift"))
    }

    @Test func classesOfAModelOfCoreDataHaveItsHashes() throws {
        try expectEqual(hashes(CinemaSchema.self), cinema().entityVersionHashesByName)
        expectEqual(CinemaSchema.versionIdentifier, Schema.Version(2, 1, 0))
    }

    @Test func sourceOfASchemaIsTheFile() throws {
        try expectEqual(generator("FrozenHousehold", household()).source(), text("FrozenHousehold.swift"))
    }

    @Test func classesOfASchemaHaveItsHashes() throws {
        try expectEqual(hashes(FrozenHousehold.self), household().entityVersionHashesByName)
    }

    @Test func storeOfTheSchemaOpensWithTheGeneratedClasses() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("home.store"))
        do {
            let container = try ModelContainer(
                for: Schema(versionedSchema: HouseholdV6.self), configurations: configuration)
            let context = ModelContext(container)
            let expense = HouseholdV6.Expense(amount: 3, account: HouseholdV6.Account(name: "Main"))
            expense.sum = HouseholdV6.Money(cents: 300, currency: "EUR")
            expense.payment = .card("1234")
            context.insert(expense)
            try context.save()
        }
        let container = try ModelContainer(
            for: Schema(versionedSchema: FrozenHousehold.self), configurations: configuration)
        let expense = try requireValue(
            try ModelContext(container).fetch(FetchDescriptor<FrozenHousehold.Expense>()).first)
        expectEqual(expense.amount, 3)
        expectEqual(expense.account.name, "Main")
        expectEqual(expense.sum.cents, 300)
        expectEqual(expense.sum.currency, "EUR")
        guard case .card = expense.payment else {
            Issue.record("\(expense.payment)")
            return
        }
    }

    // MARK: Findings

    @Test(arguments: [
        ("abstract entity A { attribute a: string }", "A: SwiftData has no abstract models"),
        ("A { to-many b: B, ordered, inverse: a }; B { to-one a: A, inverse: b }", "A.b: SwiftData has no ordered"),
        ("A { attribute a: integer64, derived: \"b.@count\"; to-many b: A }", "A.a: SwiftData has no property of this"),
        ("A { attribute a: object-id }", "A.a: SwiftData has no property of this kind"),
        ("entity A, hash-modifier: x { attribute a: string }", "A: SwiftData has no version hash modifier"),
    ])
    func partThatChangesHashesIsRefused(source: String, message: String) throws {
        let model = try TextNotation.read(Data(source.utf8), from: URL(fileURLWithPath: "A.coredata"))
        let generator = generator("Refused", model)
        let errors = generator.findings.filter { $0.severity == .error }
        #expect(errors.contains { $0.message.hasPrefix(message) })
        let error = #expect(throws: CocoaError.self) { try generator.source() }
        expectEqual(error?.localizedDescription.contains(message), true)
    }

    @Test func partWithoutAFormIsNamed() throws {
        let source = """
            A {
                attribute name: string, matches: "x+"
                attribute picture: transformable, transformer: PictureTransformer
                index byName: name descending where "name != nil"
            }
            configuration Cloud { A }
            """
        let model = try TextNotation.read(Data(source.utf8), from: URL(fileURLWithPath: "A.coredata"))
        let warnings = generator("Warned", model).findings.map(\.message)
        #expect(warnings.contains { $0.contains("A.name: the validation rules are left out") })
        #expect(warnings.contains { $0.contains("A.picture: the type is NSObject") })
        #expect(warnings.contains { $0.contains("the index 'byName' is left out") })
        #expect(warnings.contains { $0.contains("the configuration 'Cloud' is left out") })
    }

    private static let cinema = #"""
        model { version: "2.1.0" }
        entity Cinema {
            attribute name: string, required, default: "A \"big\" one"
            attribute opened: date, required
            attribute seats: integer32, required, default: 100
            attribute price: decimal, default: 9.5
            attribute site: uri
            attribute poster: binary, external-storage
            attribute code: uuid, required
            attribute isOpen: boolean, required, default: yes
            attribute rate: double, required
            attribute share: float
            attribute rank: integer16, required, default: 1
            attribute total: integer64, required
            attribute class: string, renamed-from: kind
            attribute tags: transformable, class: "Array<String>", transformer: NSSecureUnarchiveFromData
            attribute place: composite Place
            attribute grade: composite grade { user-info { EnumType: integer 1 } }
            to-many halls: Hall, inverse: cinema, delete: cascade
            to-many films: Film, inverse: cinemas
            unique code
            unique name, opened
            index byName: name
        }
        entity Hall {
            attribute number: integer64, required
            to-one cinema: Cinema, required, min: 1, inverse: halls
            to-one next: Hall, inverse: previous
            to-one previous: Hall, inverse: next
        }
        entity Film {
            attribute title: string, required, hash-modifier: second
            to-many cinemas: Cinema, inverse: films
        }
        entity Documentary: Film { attribute subject: string, required }
        entity "Date" { attribute day: date, required }
        composite Place { attribute city: string; attribute point: composite Point }
        composite Point { attribute latitude: double; attribute longitude: double }
        composite grade { attribute grade: integer64 }
        """#
}
