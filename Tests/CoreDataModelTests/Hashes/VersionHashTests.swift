import CoreDataModel
import Digests
import Testing

@Suite("Version hashes")
struct VersionHashTests {
    @Test(
        "The hashes of entities are those that Apple's compiler wrote",
        arguments: [
            ("Car", "9e555529072158220d1bacd2f80a3dad4919f74a32aa8be9ee22a6a7b4126c8f"),
            ("Person", "164268551b45108ae763aa2ba61ff32d32d32323850987c3e21607c8da44b72b"),
            ("SportCar", "514ec1907a568299f9fb6851106516136f0755f45fa53a823a0e4d44013d5313"),
            ("ExpensiveSportCar", "3dc7e32b1be45b5a4c795ac9af3e1d10aa7222d3c69ae805bbeb4408bdeba480"),
        ])
    func entityHashes(name: String, hash: String) throws {
        let model = CarModel.make()
        expectEqual(model.entitiesByName[name]?.versionHash.hex, hash)
        model.freeze()
        expectEqual(model.entityVersionHashesByName[name]?.hex, hash)
    }

    @Test(
        "The hashes of properties are the intermediate values of the test vector",
        arguments: [
            ("Car", "color", "4c5a2f234a304318aa3d8d4d398522b96880c00070e098b99fd56eafa93b0a8d"),
            ("Car", "numberPlate", "bbf8c2ec651dbbe7a4c43728fd244de88f219aa0494a97ce4faa591185435b15"),
            ("Car", "owner", "de1c089788a726f3fe40c12bfbf0f4d48833e8afa94bf16d82bf8dec1f49ef0d"),
            ("Person", "id", "3f41bba0910aa0eeb185058d518a6415630c2839c3b12a0287d912205b2de797"),
            ("Person", "cars", "3c620a49254a65e4fdd1816f9dcb43be5310e63cd52f762a262a9831a688f86f"),
        ])
    func propertyHashes(entity: String, property: String, hash: String) {
        let model = CarModel.make()
        expectEqual(model.entitiesByName[entity]?.propertiesByName[property]?.versionHash.hex, hash)
    }

    @Test("Digest and checksum of a model are those of the test vector")
    func summaries() {
        let model = CarModel.make()
        expectEqual(
            VersionHashSummary.digest(of: model.entityVersionHashesByName),
            "fACvwxty0QWritKFX3/LTtXZvI64UnFcRtP6qcjW1Yl0owr+rH+SpCvzy/uDYRpknMXbgacd3srn9wmE2KkL8Q==")
        expectEqual(model.versionChecksum, "q779bi2ZZEuRPJyJIsoxXB0eBitt0PkUDBrh5FdJi0o=")
    }

    @Test("Validation, defaults, class names and indexes don't change a hash")
    func irrelevantChanges() throws {
        let model = CarModel.make()
        let before = model.entityVersionHashesByName
        let car = try requireValue(model.entitiesByName["Car"])
        car.managedObjectClassName = "MyCar"
        car.userInfo = ["a": "b"]
        car.indexes = [
            NSFetchIndexDescription(
                name: "i",
                elements: [NSFetchIndexElementDescription(property: car.properties[2], collationType: .binary)])
        ]
        let maker = try requireValue(car.attributesByName["maker"])
        maker.defaultValue = "x"
        maker.setValidationPredicates([NSPredicate(value: true)], withValidationWarnings: ["w"])
        maker.renamingIdentifier = "manufacturer"
        car.relationshipsByName["owner"]?.deleteRule = .denyDeleteRule
        expectEqual(model.entityVersionHashesByName, before)
    }

    @Test("A derived attribute is hashed by the text of its derivation")
    func derived() {
        let derived = NSDerivedAttributeDescription()
        derived.name = "total"
        derived.type = .integer64
        derived.derivationExpression = NSExpression(
            forFunction: "count:", arguments: [NSExpression(forKeyPath: "pages")])
        expectEqual(derived.versionHash, Data(SHA256.hash("count:(pages)".utf8)))
        derived.derivationExpression = NSExpression(forKeyPath: "chat.serverId")
        expectEqual(derived.versionHash, Data(SHA256.hash("chat.serverId".utf8)))
    }

    @Test("A store is compatible with the configuration that has the same entities and hashes, and with no other")
    func compatibility() throws {
        let model = CarModel.make()
        model.setEntities([try requireValue(model.entitiesByName["Person"])], forConfigurationName: "People")
        let whole: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
        expectTrue(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: whole))
        expectFalse(model.isConfiguration(withName: "People", compatibleWithStoreMetadata: whole))
        expectFalse(model.isConfiguration(withName: "Nobody", compatibleWithStoreMetadata: whole))
        expectFalse(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        let people = model.entityVersionHashesByName.filter { $0.key == "Person" }
        expectTrue(
            model.isConfiguration(
                withName: "People",
                compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": NSDictionary(dictionary: people)]))
    }
}
