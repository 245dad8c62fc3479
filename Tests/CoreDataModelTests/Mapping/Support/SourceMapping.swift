import CoreDataModel

/// A source mapping model in a temporary folder, between two models in the same folder.
final class SourceMapping {
    let folder: TemporaryFolder
    let url: URL

    static let before = """
        <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/><attribute name="mood" \
        optional="YES" attributeType="String"/>
        <relationship name="artist" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" \
        inverseName="songs"/></entity>
        <entity name="Artist"><relationship name="songs" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Song" inverseName="artist"/></entity>
        <entity name="Draft"/>
        """
    static let after = """
        <entity name="Song"><attribute name="name" elementID="title" optional="YES" attributeType="String"/><attribute \
        name="mood" optional="YES" attributeType="String"/>
        <attribute name="year" optional="YES" attributeType="Integer 16"/>
        <relationship name="artist" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" \
        inverseName="songs"/></entity>
        <entity name="Artist"><relationship name="songs" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Song" inverseName="artist"/></entity>
        """

    static let model = """
        <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">App/Music.xcdatamodeld/Music.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">App/Music.xcdatamodeld/Music 2.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z3 \
        z2"></relationship></object>
        """

    /// Writes the files.
    ///
    /// - Parameter objects: the objects of the mapping model.
    init(_ objects: String) throws {
        folder = try TemporaryFolder()
        try folder.write(ModelText.xml(Self.before), to: "App/Music.xcdatamodeld/Music.xcdatamodel/contents")
        try folder.write(ModelText.xml(Self.after), to: "App/Music.xcdatamodeld/Music 2.xcdatamodel/contents")
        let text = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database><databaseInfo><version>134481920</version><metadata><plist \
            version="1.0"><dict/></plist></metadata></databaseInfo>
            \(objects)
            </database>
            """
        url = try folder.write(text, to: "App/Mappings/Music1to2.xcmappingmodel/xcmapping.xml")
            .deletingLastPathComponent()
    }

    static func object(
        _ type: String, _ id: String, _ attributes: [String: String], _ relationships: [String: String] = [:]
    ) -> String {
        "<object type=\"\(type)\" id=\"\(id)\">"
            + attributes.sorted { $0.key < $1.key }.map {
                "<attribute name=\"\($0.key)\" type=\"string\">\($0.value)</attribute>"
            }.joined()
            + relationships.map {
                "<relationship name=\"\($0.key)\" type=\"0/0\" destination=\"X\" idrefs=\"\($0.value)\"></relationship>"
            }.joined()
            + "</object>\n"
    }

    static func entity(_ id: String, _ attributes: [String: String], _ relationships: [String: String] = [:]) -> String
    {
        object("XDDEVENTITYMAPPING", id, attributes, relationships)
    }

    static func attribute(_ id: String, _ attributes: [String: String]) -> String {
        object("XDDEVATTRIBUTEMAPPING", id, attributes)
    }

    static func relationship(_ id: String, _ attributes: [String: String]) -> String {
        object("XDDEVRELATIONSHIPMAPPING", id, attributes)
    }
}
