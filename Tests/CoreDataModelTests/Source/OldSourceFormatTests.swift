import CoreDataModel
import Testing

@Suite("The source format before Xcode 4")
struct OldSourceFormatTests {
    /// Builds a keyed archive of a drawing, in which objects refer to each other by position.
    private struct Drawing {
        private var objects: [PropertyListValue] = [.string("$null")]
        private var classes: [String: Int] = [:]

        mutating func reserve() -> Int {
            objects.append(.null)
            return objects.count - 1
        }

        mutating func add(_ value: PropertyListValue) -> PropertyListValue {
            objects.append(value)
            return .uid(objects.count - 1)
        }

        mutating func set(_ index: Int, _ className: String, _ entries: [(String, PropertyListValue)]) {
            let type = classIndex(className)
            objects[index] = .dictionary(
                PropertyListDictionary(entries.map { (key: $0.0, value: $0.1) } + [(key: "$class", value: .uid(type))]))
        }

        mutating func object(_ className: String, _ entries: [(String, PropertyListValue)]) -> PropertyListValue {
            let index = reserve()
            set(index, className, entries)
            return .uid(index)
        }

        mutating func dictionary(_ entries: [(String, PropertyListValue)]) -> PropertyListValue {
            let keys = entries.map { add(.string($0.0)) }
            return object("NSMutableDictionary", [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.1)))])
        }

        mutating func array(_ elements: [PropertyListValue]) -> PropertyListValue {
            object("NSMutableArray", [("NS.objects", .array(elements))])
        }

        /// The tags of an entity or property.
        mutating func tags(_ values: [(String, PropertyListValue)]) -> PropertyListValue {
            let properties = values.map { name, value in
                (name, object("XDUMLPropertyImp", [("_name", add(.string(name))), ("_default", value)]))
            }
            let stereotype = object(
                "XDUMLStereotypeImp", [("XDBucketForOwnedAttributesstorage", dictionary(properties))])
            return dictionary([("XD_PStereotype", stereotype)])
        }

        func archive(root: PropertyListValue) -> Data {
            BinaryPropertyListWriter.write(
                .dictionary(
                    PropertyListDictionary([
                        (key: "$archiver", value: .string("NSKeyedArchiver")),
                        (key: "$version", value: .integer(100_000)),
                        (key: "$top", value: .dictionary(PropertyListDictionary([(key: "root", value: root)]))),
                        (key: "$objects", value: .array(objects)),
                    ])))
        }

        private mutating func classIndex(_ name: String) -> Int {
            if let index = classes[name] { return index }
            objects.append(
                .dictionary(
                    PropertyListDictionary([
                        (key: "$classname", value: .string(name)),
                        (key: "$classes", value: .array([.string(name), .string("NSObject")])),
                    ])))
            classes[name] = objects.count - 1
            return objects.count - 1
        }
    }

    private static func drawing() -> Data {
        var drawing = Drawing()
        let person = drawing.reserve()
        let pet = drawing.reserve()
        let pets = drawing.reserve()
        let owner = drawing.reserve()
        let yes = drawing.add(.boolean(true))
        func relationship(_ index: Int, _ name: String, to entity: Int, inverse: Int, toMany: Bool) {
            let tags = drawing.tags([
                ("XD_PPSK_isOptional", yes), ("XD_PRK_destination", .uid(entity)),
                ("XD_PRK_inverseRelationship", .uid(inverse)),
                ("XD_PRK_isToMany", drawing.add(.boolean(toMany))),
                ("XD_PRK_maxCount", drawing.add(.integer(toMany ? 0 : 1))),
                ("XD_PRK_deleteRule", drawing.add(.integer(toMany ? 2 : 1))),
            ])
            drawing.set(
                index, "XDPMRelationship",
                [("_name", drawing.add(.string(name))), ("XDBucketForStereotypesstorage", tags)])
        }
        relationship(pets, "pets", to: pet, inverse: owner, toMany: true)
        relationship(owner, "owner", to: person, inverse: pets, toMany: false)
        let age = drawing.object(
            "XDPMAttribute",
            [
                ("_name", drawing.add(.string("age"))),
                (
                    "XDBucketForStereotypesstorage",
                    drawing.tags([
                        ("XD_PAttK_attributeType", drawing.add(.integer(200))),
                        ("XD_PAttK_defaultValueAsString", drawing.add(.string("7"))),
                        ("XD_PAttK_minValueString", drawing.add(.string("1"))), ("XD_PPSK_isIndexed", yes),
                    ])
                ),
            ])
        let personTags = drawing.tags([
            ("XD_PSK_entityClassName", drawing.add(.string("Person"))),
            ("XDPMUniquenessConstraints", drawing.array([drawing.add(.string("age"))])),
        ])
        drawing.set(
            person, "XDPMEntity",
            [
                ("_name", drawing.add(.string("Person"))), ("XDBucketForStereotypesstorage", personTags),
                ("XDBucketForOwnedAttributesstorage", drawing.dictionary([("age", age), ("pets", .uid(pets))])),
            ])
        let general = drawing.object("XDUMLGeneralizationImp", [("_general", .uid(person))])
        drawing.set(
            pet, "XDPMEntity",
            [
                ("_name", drawing.add(.string("Pet"))),
                (
                    "XDBucketForStereotypesstorage",
                    drawing.tags([("XD_PSK_entityClassName", drawing.add(.string("NSManagedObject")))])
                ),
                ("XDBucketForOwnedAttributesstorage", drawing.dictionary([("owner", .uid(owner))])),
                ("XDBucketForGeneralizationsstorage", drawing.array([general])),
            ])
        let package = drawing.object(
            "XDModelPackage",
            [("XDBucketForClassesstorage", drawing.dictionary([("Person", .uid(person)), ("Pet", .uid(pet))]))])
        let root = drawing.object(
            "XDPMModel", [("_xd_rootPackage", package), ("_modelVersionIdentifier", drawing.add(.string("old")))])
        return drawing.archive(root: root)
    }

    @Test("Entities, tags, relationships and inheritance are read")
    func reading() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.drawing(), to: "Old.xcdatamodel/elements")
        let model = try ModelFile.load(at: folder.url.appendingPathComponent("Old.xcdatamodel"))
        let person = try requireValue(model.entitiesByName["Person"])
        let pet = try requireValue(model.entitiesByName["Pet"])
        expectEqual(model.versionIdentifiers, ["old"])
        #expect(pet.superentity === person)
        expectEqual(pet.managedObjectClassName, "NSManagedObject")
        expectEqual(person.managedObjectClassName, "Person")
        expectEqual(person.uniquenessConstraintNames, [["age"]])
        let age = try requireValue(person.attributesByName["age"])
        expectEqual(age.attributeType, .integer32AttributeType)
        expectFalse(age.isOptional)
        expectTrue(age.hasLegacyIndex)
        expectEqual((age.defaultValue as? NSNumber)?.intValue, 7)
        expectEqual(age.validationPredicates.map(\.predicateText), ["SELF >= 1"])
        let pets = try requireValue(person.relationshipsByName["pets"])
        expectTrue(pets.isToMany)
        expectEqual(pets.deleteRule, .cascadeDeleteRule)
        #expect(pets.destinationEntity === pet)
        #expect(pets.inverseRelationship === pet.relationshipsByName["owner"])
        expectEqual(pet.relationshipsByName["owner"]?.isToMany, false)
    }

    @Test("An archive without a package of entities is an error that names the file")
    func damaged() throws {
        let folder = try TemporaryFolder()
        var drawing = Drawing()
        let root = drawing.object("XDPMModel", [])
        let file = try folder.write(drawing.archive(root: root), to: "elements")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: file) }
        expectEqual(error.code, .fileReadCorruptFile)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
    }
}
