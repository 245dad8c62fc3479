import CoreDataModel

/// Makes small models from XML.
enum ModelText {
    static func model(_ entities: String) throws -> NSManagedObjectModel {
        let folder = try TemporaryFolder()
        return try ModelFile.load(at: folder.write(xml(entities), to: "Test.xcdatamodel/contents"))
    }

    static func xml(_ entities: String) -> String {
        """
        <?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model \
        userDefinedModelVersionIdentifier=\"\">\(entities)</model>
        """
    }
}
