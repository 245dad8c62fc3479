import CoreDataModel
import Testing

/// One small model for each rule of the version hashes. A separate script computed the hashes and was checked with
/// hashes of Apple's compiler (`VersionHashTests`). A change of one rule changes one hash.
@Suite("Rules of the version hashes")
struct HashRuleTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hash: String
        let make: @Sendable () -> NSEntityDescription
    }

    private static func rule(_ name: String, _ hash: String, _ make: @escaping @Sendable () -> NSEntityDescription)
        -> Rule
    {
        Rule(testDescription: name, hash: hash, make: make)
    }

    private static func item(
        _ properties: NSPropertyDescription..., constraints: [[String]] = [], modifier: String? = nil
    ) -> NSEntityDescription {
        let item = CarModel.entity("Item")
        item.properties = properties
        item.uniquenessConstraints = constraints
        item.versionHashModifier = modifier
        return item
    }

    private static func text(_ name: String, _ change: (NSAttributeDescription) -> Void = { _ in })
        -> NSAttributeDescription
    {
        let attribute = CarModel.attribute(name, .string)
        change(attribute)
        return attribute
    }

    /// A to-many relationship to Part with the inverse `item`. The result retains the model of both entities.
    private static func parts(_ change: (NSRelationshipDescription) -> Void) -> NSEntityDescription {
        let part = CarModel.entity("Part")
        let item = CarModel.entity("Item")
        let parts = NSRelationshipDescription()
        let back = NSRelationshipDescription()
        parts.name = "parts"
        parts.destinationEntity = part
        back.name = "item"
        back.maxCount = 1
        back.destinationEntity = item
        item.properties = [parts]
        part.properties = [back]
        parts.inverseRelationship = back
        back.inverseRelationship = parts
        change(parts)
        return inModel([item, part])
    }

    private static func inModel(_ entities: [NSEntityDescription]) -> NSEntityDescription {
        let model = NSManagedObjectModel()
        model.entities = entities
        entities[0].userInfo = ["model": model]
        return entities[0]
    }

    private static func special() -> NSEntityDescription {
        let item = item(text("title"))
        let special = CarModel.entity("Special")
        special.properties = [text("extra")]
        item.subentities = [special]
        return inModel([special, item])
    }

    static let rules: [Rule] = [
        rule("the optional byte", "7b2ce54c1c581a38b6298be381b592cdb950a17db3a1550bd28b791b75ff80fc") {
            item(text("title") { $0.isOptional = false })
        },
        rule("transient properties are left out", "281c7835bf56016dccf53c3dee2379a643abb7e55d8b8b9cb324a013abbf0c2f") {
            item(text("title"), text("shown") { $0.isTransient = true })
        },
        rule("a property's modifier", "72d46741b01a6da66e741921ec4d8bd5a45cb2ccb315b67be1bcd0441984c5e7") {
            item(text("title") { $0.versionHashModifier = "2" })
        },
        rule("the byte of external storage", "bbe50231fb04bc9a1d3314020fa2d3c0885f35426fafdcd45c58ff2bb4451b0d") {
            let photo = CarModel.attribute("photo", .binaryData)
            photo.allowsExternalBinaryDataStorage = true
            return item(photo)
        },
        rule("the byte of preservation", "de10a9835548f3dffb4f4caa8ab19df5f2069b9d0d7a8c807df776634366c295") {
            item(text("title") { $0.preservesValueInHistoryOnDeletion = true })
        },
        rule(
            "a relationship that is its own inverse doesn't name it",
            "0af35f25b2c9478805b8f3bd41398125daa325789acc0168caf19068692de28c"
        ) {
            let item = CarModel.entity("Item")
            let friends = NSRelationshipDescription()
            friends.name = "friends"
            friends.destinationEntity = item
            item.properties = [friends]
            friends.inverseRelationship = friends
            return inModel([item])
        },
        rule("ordered is the bytes 1 and 0", "7d867b205ec3c8c8a90e10e58440f7b8cf76607e7d85ec9729a17954041a7c34") {
            parts { $0.isOrdered = true }
        },
        rule("the greatest count before the least", "cf8f6b103d3153ad7e3753c1ddd196c53be1f537831be7c5463a3ff75b1e5d25")
        {
            parts {
                $0.minCount = 2
                $0.maxCount = 5
            }
        },
        rule(
            "a derived attribute is its derivation alone",
            "ca0753e89849273fef436f5d000f514f94ba55615190148c0a3644c213c65277"
        ) {
            let count = NSDerivedAttributeDescription()
            count.name = "partCount"
            count.type = .integer64
            count.derivationExpression = NSExpression(
                forFunction: "count:", arguments: [NSExpression(forKeyPath: "parts")])
            return item(text("title"), count)
        },
        rule("inherited properties are in", "9dfb1ea87dc6a79bdb3635fa0fea6089ec1c9e77ffb13b3c8152180cc4c438f4") {
            special()
        },
        rule("the superentity's hash is in", "9dfb1ea87dc6a79bdb3635fa0fea6089ec1c9e77ffb13b3c8152180cc4c438f4") {
            special()
        },
        rule("names are ordered by their bytes", "72c75b169a8bf43fa01ac4007ebf6bd23ad36cf3b869816ad818728b591fdb2f") {
            item(text("apple"), text("Zebra"))
        },
        rule("an entity's modifier", "34f98d44dd268a29a3ac01c202e442876dbe5c7ad32bb229ac1454f4befa627b") {
            item(text("title"), modifier: "v2")
        },
        rule("uniqueness constraints are in", "f331c594217722f77405fefd514967d162a5becb6c1fcc98223131dd71a75533") {
            item(text("title"), constraints: [["title"]])
        },
        rule(
            "several constraints are ordered by their texts",
            "58a49105952b4e5745aeda5423fea02ec24486216e76168ce483db445e1a1c4b"
        ) {
            item(text("alias"), text("code"), constraints: [["code"], ["alias"]])
        },
        rule(
            "the modifier comes before the constraints",
            "3f4e3b7f63835844faea7b8b64e960ac6950f02f0688a381fa8c8188e4892bf8"
        ) {
            item(text("title"), constraints: [["title"]], modifier: "v2")
        },
        rule(
            "attributes of a constraint keep their order",
            "8959fbcf76b7a0368813406da0f5ec03a252c3ba3f8ba3e4febcb2a9598bb387"
        ) {
            item(text("alias"), text("code"), constraints: [["code", "alias"]])
        },
    ]

    @Test("Each rule has a test vector", arguments: rules)
    func vector(rule: Rule) throws {
        let entity = rule.make()
        expectEqual(entity.versionHash.hex, rule.hash)
        // The copy of an immutable model has the same hash.
        let model = entity.owningModel ?? NSManagedObjectModel()
        if entity.owningModel == nil { model.entities = [entity] }
        entity.userInfo = nil
        let copy = try requireValue(model.copy() as? NSManagedObjectModel)
        copy.freeze()
        expectEqual(copy.entityVersionHashesByName[entity.name ?? ""]?.hex, rule.hash)
    }

    @Test("Fetched properties are not hashed")
    func fetched() {
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "all"
        expectEqual(Self.item(Self.text("title"), fetched).versionHash, Self.item(Self.text("title")).versionHash)
    }

    @Test("Only changes that affect a store change the hash")
    func changes() {
        let plain = Self.item(Self.text("title")).versionHash
        let same: [(NSEntityDescription) -> Void] = [
            { $0.attributesByName["title"]?.defaultValue = "x" },
            {
                $0.attributesByName["title"]?.setValidationPredicates(
                    [NSPredicate(value: true)], withValidationWarnings: ["w"])
            },
            { $0.renamingIdentifier = "Old" }, { $0.managedObjectClassName = "X" }, { $0.userInfo = ["a": "b"] },
            { $0.attributesByName["title"]?.allowsCloudEncryption = true },
            { $0.attributesByName["title"]?.isIndexedBySpotlight = true },
            { $0.subentities = [CarModel.entity("Child")] },
        ]
        let different: [(NSEntityDescription) -> Void] = [
            { $0.name = "Other" }, { $0.isAbstract = true }, { $0.properties.append(Self.text("x")) },
            { $0.properties = [] },
            { $0.attributesByName["title"]?.type = .uri }, { $0.attributesByName["title"]?.name = "name" },
        ]
        for change in same {
            let item = Self.item(Self.text("title"))
            change(item)
            expectEqual(item.versionHash, plain)
        }
        for change in different {
            let item = Self.item(Self.text("title"))
            change(item)
            #expect(item.versionHash != plain)
        }
    }
}
