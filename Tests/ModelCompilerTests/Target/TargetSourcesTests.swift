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
        try expectEqual(folder.prepare(), 0)
        let text = try folder.text(copy)
        expectTrue(text.hasPrefix("#sourceLocation(file: \"\(folder.url.path)/Car.swift\", line: 1)\n"))
        #expect(!text.contains("@objc"))
    }

    @Test func anotherExcludedSourceIsNotCompiled() throws {
        let folder = try TargetFolder()
        let copy = try folder.writeExcluded("struct Template {}\n", to: "Template.swift")
        try expectEqual(folder.prepare(), 0)
        try expectEqual(folder.text(copy), TargetPreparation.nothing)
    }

    @Test func aPlainSourceInAFolderThatIsExcludedWholeIsCompiledToo() throws {
        let folder = try TargetFolder()
        try folder.write("", to: "main.swift")
        try folder.writeExcluded(
            "import CoreData\n@objc(Car)\nclass Car: NSManagedObject {}\n", to: "App/Model/Car.swift")
        let plain = try folder.writeExcluded("struct Wheel {}\n", to: "App/Wheel.swift")
        let other = try folder.writeExcluded("struct Template {}\n", to: "Templates/Template.swift")
        try expectEqual(folder.prepare(), 0)
        expectTrue(try folder.text(plain).hasSuffix("line: 1)\nstruct Wheel {}\n"))
        try expectEqual(folder.text(other), TargetPreparation.nothing)
    }

    @Test func aPlainSourceBesideCompiledSourcesIsLeftOut() throws {
        let folder = try TargetFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("App"), withIntermediateDirectories: true)
        try folder.write("", to: "App/main.swift")
        try folder.writeExcluded("import CoreData\n@objc(Car)\nclass Car: NSManagedObject {}\n", to: "App/Car.swift")
        let plain = try folder.writeExcluded("struct Wheel {}\n", to: "App/Wheel.swift")
        try expectEqual(folder.prepare(), 0)
        try expectEqual(folder.text(plain), TargetPreparation.nothing)
    }

    @Test func aConfigurationThatChangedAfterThePlanIsAnError() throws {
        let folder = try TargetFolder()
        try folder.write("", to: "main.swift")
        try folder.writeConfiguration("{\"exclude\": []}", plannedText: "{\"exclude\": []}")
        try expectEqual(folder.prepare(), 0)
        try folder.writeConfiguration("{\"exclude\": []}", plannedText: "{}")
        try expectEqual(folder.prepare(), 1)
    }

    @Test func anOverrideInAnExtensionMovesIntoTheGeneratedClass() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.repair)
        try folder.writeExcluded(
            "import CoreData\nextension Repair {\n    public override func willSave() { super.willSave() }\n}\n",
            to: "Repair.swift")
        try expectEqual(folder.prepare(), 0)
        expectContains(
            try folder.text(folder.generatedModel), "public override func willSave() { _Repair_willSave() };")
    }

    @Test func anOverrideInAnExtensionOfAClassThatIsCompiledUnchangedIsAnError() throws {
        let folder = try TargetFolder()
        try folder.write("import CoreData\nclass Car: NSManagedObject {}\n", to: "Car.swift")
        try folder.writeExcluded(
            "import CoreData\nextension Car { override func willSave() { super.willSave() } }\n", to: "Life.swift")
        try expectEqual(folder.prepare(), 1)
    }

    @Test(arguments: [
        "import CoreData\n@objc(Car) class Car: NSManagedObject {}\n", "let key = #keyPath(Car.make)\n",
        "import CoreData\nclass Car: NSManagedObject {}\nextension Car { override func willSave() {} }\n",
    ])
    func aCompiledSourceThatOnlyACopyCanBeIsAnError(source: String) throws {
        let folder = try TargetFolder()
        try folder.write(source, to: "Car.swift")
        try expectEqual(folder.prepare(), 1)
    }

    @Test func aClassThatTheModelGeneratesTooIsAnError() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.repair)
        try folder.write("import CoreData\nclass Repair: NSManagedObject {}\n", to: "Repair.swift")
        try expectEqual(folder.prepare(), 1)
    }

    @Test func objectiveCInAConditionIsNoError() throws {
        let folder = try TargetFolder()
        try folder.write("#if canImport(ObjectiveC)\n@objc class Car {}\n#endif\n", to: "Car.swift")
        try expectEqual(folder.prepare(), 0)
    }

    @Test func computedPropertiesAndValidationMethodsAreRegistered() throws {
        let folder = try TargetFolder()
        try folder.write(
            """
            import CoreData
            class Car: NSManagedObject {
                var title: String { "car" }
                private var hidden: Int { 1 }
                static var shared: Int { 1 }
                var cache = 0
                @MainActor var shown: Bool { true }
                func validateMake(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            }
            """, to: "Car.swift")
        try folder.writeExcluded(
            "import CoreData\nextension Car { @objc(label) var text: Int { get { 1 } set {} } }\n", to: "Label.swift")
        try expectEqual(folder.prepare(), 0)
        let lines = try folder.text(folder.registration).split(separator: "\n").filter {
            $0.contains(", of:") || $0.contains("registerV")
        }
        expectEqual(
            lines,
            [
                "    NSManagedObject.register(\"title\", of: Car.self, get: { $0.title })",
                "    NSManagedObject.registerValidation(of: \"make\", in: Car.self) { try $0.validateMake($1) }",
                "    NSManagedObject.register(\"label\", of: Car.self, get: { $0.text }, set: { $0.text = $1 }, "
                    + "isExposed: true, keyPath: { \\Car.text })",
            ])
    }

    @Test func namesOfFoundationAreFoundInFilesThatImportFoundationAlone() throws {
        let folder = try TargetFolder()
        try folder.write("import Foundation\nclass Names: ValueTransformer {}\n", to: "Names.swift")
        try folder.write("import CoreData\nlet selector: Selector? = nil\n", to: "Main.swift")
        try expectEqual(folder.prepare(), 0)
        let text = try folder.text(folder.names)
        expectContains(text, "public typealias ValueTransformer = CoreDataPredicates.ValueTransformer\n")
        #expect(!text.contains("Selector"))
    }

    @Test func aPropertyMayHaveTheTypeOfAGeneratedClass() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.repair)
        try folder.write(
            "import CoreData\nclass Car: NSManagedObject {\n    @NSManaged var last: Repair?\n}\n", to: "Car.swift")
        try expectEqual(folder.prepare(), 0)
        expectContains(try folder.text(folder.accessors), "$s4Shop3CarC4lastAA6RepairCSgvg")
    }

    @Test func aPropertyMayHaveATypeOfADependency() throws {
        let folder = try TargetFolder()
        try folder.writeDependency("public enum Colour: Int { case red }", module: "Paint")
        try folder.write(
            "import CoreData\nimport Paint\nclass Car: NSManagedObject {\n    @NSManaged var colour: Colour\n}\n",
            to: "Car.swift")
        try expectEqual(folder.prepare(), 0)
        expectContains(try folder.text(folder.accessors), "$s4Shop3CarC6colour5Paint6ColourOvg")
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
        try expectEqual(folder.prepare(), 0)
        expectContains(try folder.text(folder.accessors), "$s4Shop3CarC4last8Workshop6RepairCSgvg")
    }

    @Test func anUnknownTypeFailsAndWritesNothing() throws {
        let folder = try TargetFolder()
        try folder.write(
            "import CoreData\nclass Car: NSManagedObject {\n    @NSManaged var last: Nowhere?\n}\n", to: "Car.swift")
        try expectEqual(folder.prepare(), 1)
        expectFalse(FileManager.default.fileExists(atPath: folder.accessors.path))
    }

    @Test func classesOfSourcesAndModelsAreRegistered() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.repair)
        try folder.write("import CoreData\nclass Car: NSManagedObject {}\n", to: "Car.swift")
        try expectEqual(folder.prepare(), 0)
        let text = try folder.text(folder.registration)
        expectContains(text, "Car.self")
        expectContains(text, "Repair.self")
    }

    @Test func ambiguousNamesOfFoundationHaveTypeAliasesWhereTheyAreUsed() throws {
        let folder = try TargetFolder()
        try folder.write("import Foundation\nimport CoreData\nlet one: NSExpression? = nil\n", to: "One.swift")
        try expectEqual(folder.prepare(), 0)
        let text = try folder.text(folder.names)
        expectContains(text, "public typealias NSExpression = CoreDataPredicates.NSExpression\n")
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
        try expectEqual(folder.prepare(), 0)
        try expectEqual(folder.text(folder.names), TargetPreparation.nothing)
    }
}
