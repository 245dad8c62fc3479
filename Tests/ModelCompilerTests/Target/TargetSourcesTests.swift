import CoreDataModel
import Testing

@testable import momc

@Suite struct TargetSourcesTests {
    private static let repair = """
        <entity name="Repair" representedClassName="Repair" codeGenerationType="class">
            <attribute name="work" optional="YES" attributeType="String"/>
        </entity>
        """

    @Test func anExcludedSourceOfManagedObjectsIsCompiledAsACopy() throws {
        let folder = try TargetFolder()
        let copy = try folder.writeExcluded(
            "import CoreData\n@objc(Car)\nclass Car: NSManagedObject {}\n", to: "Car.swift")
        #expect(try folder.prepare() == 0)
        let text = try folder.text(copy)
        #expect(text.hasPrefix("#sourceLocation(file: \"\(folder.url.path)/Car.swift\", line: 1)\n"))
        #expect(!text.contains("@objc"))
    }

    @Test func anotherExcludedSourceIsNotCompiled() throws {
        let folder = try TargetFolder()
        let copy = try folder.writeExcluded("struct Template {}\n", to: "Template.swift")
        #expect(try folder.prepare() == 0)
        #expect(try folder.text(copy) == TargetPreparation.nothing)
    }

    @Test func aPropertyMayHaveTheTypeOfAGeneratedClass() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.repair)
        try folder.write(
            "import CoreData\nclass Car: NSManagedObject {\n    @NSManaged var last: Repair?\n}\n", to: "Car.swift")
        #expect(try folder.prepare() == 0)
        #expect(try folder.text(folder.accessors).contains("$s4Shop3CarC4lastAA6RepairCSgvg"))
    }

    @Test func aPropertyMayHaveATypeOfADependency() throws {
        let folder = try TargetFolder()
        try folder.writeDependency("public enum Colour: Int { case red }", module: "Paint")
        try folder.write(
            "import CoreData\nimport Paint\nclass Car: NSManagedObject {\n    @NSManaged var colour: Colour\n}\n",
            to: "Car.swift")
        #expect(try folder.prepare() == 0)
        #expect(try folder.text(folder.accessors).contains("$s4Shop3CarC6colour5Paint6ColourOvg"))
    }

    @Test func aPropertyMayHaveTheTypeOfAClassThatADependencyGenerates() throws {
        let other = try TargetFolder()
        try other.writeModel(Self.repair)
        let folder = try TargetFolder()
        try folder.writeDependency(
            "", module: "Workshop", model: other.url.appendingPathComponent("Shop.xcdatamodeld").path)
        try folder.write(
            "import CoreData\nimport Workshop\nclass Car: NSManagedObject {\n    @NSManaged var last: Repair?\n}\n",
            to: "Car.swift")
        #expect(try folder.prepare() == 0)
        #expect(try folder.text(folder.accessors).contains("$s4Shop3CarC4last8Workshop6RepairCSgvg"))
    }

    @Test func anUnknownTypeFailsAndWritesNothing() throws {
        let folder = try TargetFolder()
        try folder.write(
            "import CoreData\nclass Car: NSManagedObject {\n    @NSManaged var last: Nowhere?\n}\n", to: "Car.swift")
        #expect(try folder.prepare() == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.accessors.path))
    }

    @Test func classesOfSourcesAndModelsAreRegistered() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.repair)
        try folder.write("import CoreData\nclass Car: NSManagedObject {}\n", to: "Car.swift")
        #expect(try folder.prepare() == 0)
        let text = try folder.text(folder.registration)
        #expect(text.contains("Car.self") && text.contains("Repair.self"))
    }

    @Test func ambiguousNamesOfFoundationHaveTypeAliasesWhereTheyAreUsed() throws {
        let folder = try TargetFolder()
        try folder.write("import Foundation\nimport CoreData\nlet one: NSExpression? = nil\n", to: "One.swift")
        #expect(try folder.prepare() == 0)
        let text = try folder.text(folder.names)
        #expect(text.contains("public typealias NSExpression = CoreDataPredicates.NSExpression\n"))
        #expect(!text.contains("NSComparisonPredicate"))
    }

    @Test(arguments: [
        "import CoreData\ntypealias NSExpression = CoreDataPredicates.NSExpression\nlet one: NSExpression? = nil\n",
        "import CoreData\nlet one: CoreDataPredicates.NSExpression? = nil\n",
        "import CoreData\n// NSExpression\nlet one = \"NSExpression\"\n",
        "import Foundation\nlet one: NSExpression? = nil\n",
    ])
    func namesThatAreSettledOrNotUsedAreLeftAlone(source: String) throws {
        let folder = try TargetFolder()
        try folder.write(source, to: "One.swift")
        #expect(try folder.prepare() == 0)
        #expect(try folder.text(folder.names) == TargetPreparation.nothing)
    }
}
