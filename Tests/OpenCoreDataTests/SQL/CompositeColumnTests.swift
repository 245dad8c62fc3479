import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Columns of composite attributes")
struct CompositeColumnTests {
    private func makeModel() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
            let composite = NSCompositeAttributeDescription()
            composite.name = name
            composite.elements = elements
            return composite
        }
        let place = AlbumModel.entity("Place")
        place.properties = [
            attribute("city", .stringAttributeType),
            composite(
                "home",
                [
                    attribute("street", .stringAttributeType), attribute("city", .stringAttributeType),
                    composite("point", [attribute("x", .doubleAttributeType), attribute("y", .doubleAttributeType)]),
                ]),
            composite("work", [attribute("city", .stringAttributeType), attribute("floor", .integer16AttributeType)]),
        ]
        let model = NSManagedObjectModel()
        model.entities = [place]
        return model
    }

    @Test("are named after the elements, with numbers for names in use, in the order of the model within their types")
    func names() throws {
        let table = try requireValue(try SQLSchema(model: makeModel()).tables.first)
        expectEqual(
            table.columns.map(\.name),
            [
                "Z_PK", "Z_ENT", "Z_OPT", "ZFLOOR", "ZX", "ZY", "ZCITY", "ZSTREET", "ZCITY1", "ZCITY2",
            ])
        let place = try requireValue(table.entities.first)
        expectEqual(place.elementColumns("home.city")?.map(\.name), ["ZCITY1"])
        expectEqual(place.elementColumns("work.city")?.map(\.name), ["ZCITY2"])
        expectEqual(place.elementColumns("home.point")?.map(\.name), ["ZX", "ZY"])
        expectEqual(place.elementColumns("city"), nil)
    }

    @Test("of a store whose names begin with the composite's name are found")
    func joinedNames() throws {
        let columns = [
            "Z_PK", "Z_ENT", "Z_OPT", "ZHOME_POINT_X", "ZHOME_POINT_Y", "ZCITY", "ZHOME_CITY", "ZHOME_STREET", "ZFLOOR",
            "ZCITY1",
        ]
        let existing = SQLExistingTables(columnsByTable: ["ZPLACE": columns])
        let schema = try SQLSchema(model: makeModel(), existing: existing)
        let place = try requireValue(schema.entities.first)
        expectEqual(place.elementColumns("home.point.y")?.map(\.name), ["ZHOME_POINT_Y"])
        expectEqual(place.elementColumns("work.city")?.map(\.name), ["ZCITY1"])
    }
}
