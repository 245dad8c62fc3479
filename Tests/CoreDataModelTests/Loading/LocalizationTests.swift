import Testing

@testable import CoreDataModel

@Suite("Strings files beside models")
struct LocalizationTests {
    private static func dictionary(_ data: Data, at path: String = "en.lproj/CarsModel.strings") throws -> [String:
        String]?
    {
        let folder = try TemporaryFolder()
        let model = try folder.write(try ModelArchive.encode(CarModel.make(), as: .compiled), to: "Cars.mom")
        try folder.write(data, to: path)
        return try NSManagedObjectModel.load(contentsOf: model).localizationDictionary
    }

    private static let text =
        """
        /* é */ \"Entity/Car\" = \"Wägen\"; // x\n'Property/maker' = \"A\\\"B\\U00e9\\ud83d\\ude00\\101\"; bare = \
        word;
        """
    private static let expected = ["Entity/Car": "Wägen", "Property/maker": "A\"Bé😀A", "bare": "word"]

    @Test(
        "Every encoding and form is read",
        arguments: ["utf8", "utf8 mark", "utf16", "utf16 be", "utf16 le", "braces", "xml", "binary"])
    func forms(form: String) throws {
        let data: Data
        switch form {
        case "utf8 mark": data = Data([0xEF, 0xBB, 0xBF]) + Data(Self.text.utf8)
        case "utf16": data = try requireValue(Self.text.data(using: .utf16))
        case "utf16 be": data = try requireValue(Self.text.data(using: .utf16BigEndian))
        case "utf16 le": data = try requireValue(Self.text.data(using: .utf16LittleEndian))
        case "braces": data = Data("{ \(Self.text) }\n".utf8)
        case "xml": data = try PropertyListSerialization.data(fromPropertyList: Self.expected, format: .xml, options: 0)
        case "binary":
            data = try PropertyListSerialization.data(fromPropertyList: Self.expected, format: .binary, options: 0)
        default: data = Data(Self.text.utf8)
        }
        try expectEqual(Self.dictionary(data), Self.expected)
    }

    @Test(
        "The file is named after the model, with Model appended",
        arguments: [("JimsModel", "JimsModelModel"), ("MyDocument", "MyDocumentModel")])
    func naming(model: String, strings: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(FullSourceModel.xml, to: model + ".xcdatamodel/contents")
        try folder.write("a = b;", to: strings + ".strings")
        let url = folder.url.appendingPathComponent(model + ".xcdatamodel")
        expectEqual(NSManagedObjectModel(contentsOf: url)?.localizationDictionary, ["a": "b"])
    }

    @Test(
        "Folders in small letters, as SwiftPM writes them, and other languages than the user's are found",
        arguments: ["pt-br.lproj", "Base.lproj", "fi.lproj"])
    func folders(folder: String) throws {
        try expectEqual(Self.dictionary(Data("a = b;".utf8), at: folder + "/CarsModel.strings"), ["a": "b"])
    }

    @Test("The versions of a bundle share the strings file beside the bundle")
    func versions() throws {
        let folder = try TemporaryFolder()
        let version = try folder.write(
            try ModelArchive.encode(CarModel.make(), as: .compiled), to: "Cars.momd/Cars 2.mom")
        try folder.write("a = b;", to: "en.lproj/CarsModel.strings")
        try expectEqual(NSManagedObjectModel.load(contentsOf: version).localizationDictionary, ["a": "b"])
        try expectEqual(
            NSManagedObjectModel.load(contentsOf: version.deletingLastPathComponent()).localizationDictionary,
            [
                "a": "b"
            ])
    }

    @Test(
        "A broken file is an error with its line, and nil for the model",
        arguments: [
            "\"a\" = \"b\"", "\"a", "/* a", "\n\na = \"\\U12\";", "{ a = b;", "{} x", "= b;", "\"\\ud800\" = b;",
            "a = \"\\377\";", "<plist><array/></plist>",
        ])
    func broken(text: String) throws {
        let error = try #require(throws: CocoaError.self) { try Self.dictionary(Data(text.utf8)) }
        expectEqual(error.code, .fileReadCorruptFile)
        expectEqual((error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("CarsModel.strings"), true)
        if text.hasPrefix("\n") { expectContains(error.localizedDescription, "line 3") }
    }

    @Test("A property's name is localized for its entity, for its ancestors, and for all entities")
    func names() throws {
        let model = CarModel.make()
        let sport = try requireValue(model.entitiesByName["SportCar"])
        let car = try requireValue(model.entitiesByName["Car"])
        let maker = try requireValue(car.attributesByName["maker"])
        let owner = try requireValue(car.relationshipsByName["owner"])
        expectEqual(model.localizedName(of: maker, in: sport), "maker")
        model.localizationDictionary = ["Property/maker": "Any", "Property/owner/Entity/Car": "Holder"]
        expectEqual(model.localizedName(of: maker, in: sport), "Any")
        expectEqual(model.localizedName(of: owner, in: sport), "Holder")
        model.localizationDictionary?["Property/maker/Entity/SportCar"] = "Racing team"
        expectEqual(model.localizedName(of: maker, in: sport), "Racing team")
        expectEqual(model.localizedName(of: maker, in: car), "Any")
    }
}
