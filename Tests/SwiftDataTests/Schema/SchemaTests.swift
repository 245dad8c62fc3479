/// The schema that classes make.
@Suite struct SchemaTests {
    private let schema = Schema([Recipe.self])

    @Test func entityHasTheClassUnderApplesNames() throws {
        let entity = try requireValue(Schema([Recipe.self]).entity(for: Recipe.self))
        let values = Dictionary(uniqueKeysWithValues: Mirror(reflecting: entity).children.map { ($0.label, $0.value) })
        #expect(values["_objectType"] as? any PersistentModel.Type == Recipe.self)
        #expect(values["_mangledName"] as? String == _mangledTypeName(Recipe.self))
    }

    @Test func schemaHasTheClassesThatRelationshipsLeadTo() {
        expectEqual(schema.entities.map(\.name), ["Recipe", "Ingredient", "Cuisine"])
    }

    @Test func attributeHasTheTypeAndOptionsOfTheSource() throws {
        let title = try requireValue(schema.entitiesByName["Recipe"]?.attributesByName["title"])
        expectTrue(title.isUnique)
        #expect(title.valueType is String.Type)
        expectFalse(title.isOptional)
    }

    @Test func transientPropertyIsNoneOfTheSchema() {
        expectEqual(schema.entitiesByName["Recipe"]?.attributesByName["isSelected"], nil)
    }

    @Test func declaredInverseIsThatOfBothSides() {
        expectEqual(schema.entitiesByName["Recipe"]?.relationshipsByName["ingredients"]?.inverseName, "recipe")
        expectEqual(schema.entitiesByName["Ingredient"]?.relationshipsByName["recipe"]?.inverseName, "ingredients")
    }

    @Test func enumerationWithRawValuesHasOneElementOfItsName() throws {
        let course = schema.entitiesByName["Recipe"]?.attributesByName["course"] as? Schema.CompositeAttribute
        expectEqual(course?.properties.map(\.name), ["course"])
    }

    @Test func structureHasItsStoredPropertiesAsElements() throws {
        let source = schema.entitiesByName["Recipe"]?.attributesByName["source"] as? Schema.CompositeAttribute
        expectEqual(source?.properties.map(\.name), ["name", "page", "authors"])
    }

    @Test func entityOfClassIsFound() {
        expectEqual(schema.entity(for: Ingredient.self)?.name, "Ingredient")
        expectEqual(Schema.entityName(for: Ingredient.self), "Ingredient")
    }

    @Test func schemaIsEqualAfterCoding() throws {
        let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        expectEqual(decoded, schema)
    }

    @Test func schemaIsEqualAfterSavingToAFile() throws {
        let folder = try TemporaryFolder()
        try schema.save(to: folder.file("schema.json"))
        try expectEqual(Schema.load(from: folder.file("schema.json")), schema)
    }

    @Test func versionsAreOrderedByTheirNumbers() {
        #expect(Schema.Version(1, 9, 0) < Schema.Version(1, 10, 0))
        expectEqual(Schema.Version(2, 0, 1).description, "2.0.1")
    }

    @Test func constraintsAndIndexesHaveTheNamesOfTheirProperties() {
        let entity = Schema([Visit.self]).entitiesByName["Visit"]
        expectEqual(entity?.uniquenessConstraints, [["place", "day"]])
        expectEqual(entity?.indices, [["day"], ["place", "day"]])
    }

    @Test func twoClassesOfOneNameAreRefused() {
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Schema([First.Twin.self, Second.Twin.self]),
                configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        expectEqual(error?.localizedDescription.contains("Twin"), true)
    }

    @Test func inverseThatLeadsElsewhereIsRefused() {
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Schema([Owner.self, Thing.self]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        expectEqual(error?.localizedDescription.contains("Owner.things"), true)
    }
}

enum First {
    @Model final class Twin {
        var name = ""
        init() {}
    }
}

enum Second {
    @Model final class Twin {
        var number = 0
        init() {}
    }
}

@Model final class Owner {
    @Relationship(inverse: \Thing.holder) var things: [Thing] = []
    init() {}
}

@Model final class Thing {
    var holder: Recipe?
    init() {}
}
