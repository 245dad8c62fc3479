import CoreDataClasses

/// A source model for one test of class generation, and the generated files.
struct GeneratedModel {
    let generator: ClassGenerator

    init(_ elements: String, _ options: ClassGenerationOptions = ClassGenerationOptions()) throws {
        let url = URL(fileURLWithPath: "/models/Test.xcdatamodel/contents")
        let root = try SourceXMLReader.read(Data("<model>\(elements)</model>".utf8), from: url)
        generator = ClassGenerator(model: try SourceModelReader.read(root, from: url), options: options)
    }

    func text(_ name: String) throws -> String {
        guard let file = try generator.files().first(where: { $0.name == name }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return file.text
    }

    /// The trimmed lines of a file with a word.
    func lines(with word: String, in name: String) throws -> [String] {
        try text(name).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            $0.contains(word)
        }
    }

    /// A model with all kinds of properties.
    static let everything = """
        <entity name="Artist" representedClassName="Artist" codeGenerationType="class">
            <attribute name="name" attributeType="String"/>
            <relationship name="albums" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" \
        destinationEntity="Album" inverseName="artist"/>
            <relationship name="fans" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
        inverseName="idols"/>
        </entity>
        <entity name="Album" representedClassName=".Album" codeGenerationType="class">
            <attribute name="int16" attributeType="Integer 16" usesScalarValueType="YES"/>
            <attribute name="int32" attributeType="Integer 32" usesScalarValueType="YES"/>
            <attribute name="int64" attributeType="Integer 64" usesScalarValueType="YES"/>
            <attribute name="double" attributeType="Double" usesScalarValueType="YES"/>
            <attribute name="float" attributeType="Float" usesScalarValueType="YES"/>
            <attribute name="flag" attributeType="Boolean" usesScalarValueType="YES"/>
            <attribute name="number" attributeType="Integer 64" usesScalarValueType="NO"/>
            <attribute name="switch" attributeType="Boolean" usesScalarValueType="NO"/>
            <attribute name="price" attributeType="Decimal"/>
            <attribute name="default" attributeType="String"/>
            <attribute name="released" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="heard" attributeType="Date" usesScalarValueType="YES"/>
            <attribute name="cover" attributeType="Binary"/>
            <attribute name="id" attributeType="UUID"/>
            <attribute name="page" attributeType="URI"/>
            <attribute name="tags" attributeType="Transformable" customClassName="[String: Int]"/>
            <attribute name="blob" attributeType="Transformable"/>
            <attribute name="place" attributeType="Composite" composite="Place"/>
            <attribute name="cached" transient="YES"/>
            <attribute name="shout" attributeType="String" derived="YES" derivationExpression="uppercase:(default)"/>
            <relationship name="artist" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" \
        inverseName="albums"/>
            <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Bare"/>
            <fetchedProperty name="others"><fetchRequest name="fetchedPropertyFetchRequest" entity="Album" \
        predicateString="artist == $FETCH_SOURCE.artist"/></fetchedProperty>
        </entity>
        <entity name="Live" parentEntity="Album" representedClassName="App.LiveAlbum" codeGenerationType="class">
            <attribute name="town" attributeType="String"/>
        </entity>
        <entity name="Person" representedClassName="Person" codeGenerationType="category">
            <relationship name="idols" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Artist" \
        inverseName="fans"/>
        </entity>
        <entity name="Bare"><attribute name="x" attributeType="String"/></entity>
        <entity name="Manual" representedClassName="Manual"><attribute name="x" attributeType="String"/></entity>
        <composite name="Place"><attribute name="lat" attributeType="Double"/></composite>
        """
}
