import CoreDataModel

/// A source model in the old format with two related entities.
struct OldSourceSample {
    private let writer = KeyedArchiveWriter()

    static func data() -> Data { OldSourceSample().drawing() }

    private func object(_ name: String, _ entries: [(key: String, value: PropertyListValue)]) -> PropertyListValue {
        writer.add(class: KeyedArchiveClass(name), entries)
    }

    private func text(_ text: String) -> PropertyListValue { writer.add(string: text) }

    private func dictionary(_ entries: [(String, PropertyListValue)]) -> PropertyListValue {
        writer.add(dictionary: entries.map { (key: text($0.0), value: $0.1) })
    }

    /// The tags of an entity or property, inside of two levels of drawing objects.
    private func tags(_ values: [(String, PropertyListValue)]) -> (key: String, value: PropertyListValue) {
        let properties = values.map { ($0.0, object("XDUMLPropertyImp", [("_name", text($0.0)), ("_default", $0.1)])) }
        let stereotype = object("XDUMLStereotypeImp", [("XDBucketForOwnedAttributesstorage", dictionary(properties))])
        return ("XDBucketForStereotypesstorage", dictionary([("XD_PStereotype", stereotype)]))
    }

    private func number(_ value: Int64) -> PropertyListValue { writer.add(plain: .integer(value)) }

    private func attribute(_ name: String, _ type: Int64, _ more: [(String, PropertyListValue)]) -> (
        String, PropertyListValue
    ) {
        (
            name,
            object("XDPMAttribute", [("_name", text(name)), tags([("XD_PAttK_attributeType", number(type))] + more)])
        )
    }

    private func relationship(
        _ place: PropertyListValue, _ name: String, to entity: PropertyListValue, inverse: PropertyListValue, many: Bool
    ) {
        let tags = tags([
            ("XD_PRK_destination", entity), ("XD_PRK_inverseRelationship", inverse),
            ("XD_PRK_isToMany", writer.add(plain: .boolean(many))),
            ("XD_PRK_minCount", number(0)), ("XD_PRK_maxCount", number(many ? 0 : 1)),
            ("XD_PRK_deleteRule", number(many ? 2 : 1)),
        ])
        writer.fill(place, class: KeyedArchiveClass("XDPMRelationship"), [("_name", text(name)), tags])
    }

    private func drawing() -> Data {
        let person = writer.reserve()
        let pet = writer.reserve()
        let pets = writer.reserve()
        let owner = writer.reserve()
        relationship(pets, "pets", to: pet, inverse: owner, many: true)
        relationship(owner, "owner", to: person, inverse: pets, many: false)
        let request = object(
            "XDPMFetchRequest", [("_name", text("Old")), ("_entity", person), ("_predicateString", text("age > $AGE"))])
        writer.fill(
            person, class: KeyedArchiveClass("XDPMEntity"),
            [
                ("_name", text("Person")),
                tags([
                    ("XD_PSK_entityClassName", text("Person")),
                    ("XDPMUniquenessConstraints", writer.add(array: [text("age,name")])),
                    ("XD_PSK_userInfo", dictionary([("owner", text("tests"))])),
                    ("XD_PSK_fetchRequestsArray", writer.add(array: [request])),
                ]),
                (
                    "XDBucketForOwnedAttributesstorage",
                    dictionary([
                        attribute(
                            "age", 200,
                            [("XD_PAttK_defaultValueAsString", text("7")), ("XD_PAttK_minValueString", text("1"))]),
                        attribute("name", 700, [("XD_PPSK_isOptional", writer.add(plain: .boolean(true)))]),
                        ("pets", pets),
                    ])
                ),
            ])
        writer.fill(
            pet, class: KeyedArchiveClass("XDPMEntity"),
            [
                ("_name", text("Pet")), tags([("XD_PSK_entityClassName", text("NSManagedObject"))]),
                ("XDBucketForOwnedAttributesstorage", dictionary([("owner", owner)])),
                (
                    "XDBucketForGeneralizationsstorage",
                    writer.add(array: [object("XDUMLGeneralizationImp", [("_general", person)])])
                ),
            ])
        let package = object(
            "XDModelPackage", [("XDBucketForClassesstorage", dictionary([("Person", person), ("Pet", pet)]))])
        return writer.data(
            root: object("XDPMModel", [("_xd_rootPackage", package), ("_modelVersionIdentifier", text("old"))]))
    }
}
