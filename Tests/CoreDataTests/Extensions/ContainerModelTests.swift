import CoreData
import Testing

@Suite("The model of a container")
struct ContainerModelTests {
    /// A resource bundle beside the program, as SwiftPM makes them, removed with the test.
    private final class ResourceBundle {
        let name: String
        let url: URL

        /// - Parameters:
        ///   - name: the name of the model; a new one unless given.
        ///   - target: the target whose resources they are; one that is no part of this program unless given.
        ///   - content: the entities.
        init(
            name: String = newName(), target: String? = nil,
            _ content: String =
                #"""
            <entity name="Book" syncable="YES"><attribute name="title" optional="YES" \#
            attributeType="String"/></entity>
            """#
        ) throws {
            self.name = name
            let package = target == nil ? "Test" : Self.newName()
            url = Bundle.main.bundleURL.appendingPathComponent("\(package)_\(target ?? name).resources")
            let version = url.appendingPathComponent(name + ".xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let xml =
                #"""
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?><model \#
                type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                """#
            try Data((xml + content + "</model>").utf8).write(to: version.appendingPathComponent("contents"))
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        static func newName() -> String { "Shelf" + UUID().uuidString.replacingOccurrences(of: "-", with: "") }

        static func entity(_ name: String) -> String { "<entity name=\"\(name)\" syncable=\"YES\"/>" }
    }

    @Test("It is found by name in a resource bundle beside the program")
    func found() throws {
        let bundle = try ResourceBundle()
        let container = NSPersistentContainer(name: bundle.name)
        #expect(container.managedObjectModel.entitiesByName["Book"]?.attributesByName["title"] != nil)
        expectEqual(container.name, bundle.name)
        #expect(container.persistentStoreCoordinator.managedObjectModel === container.managedObjectModel)
    }

    @Test("The model of a module in the program comes before that of another module beside the program")
    func moduleOfProgram() throws {
        let name = ResourceBundle.newName()
        let other = try ResourceBundle(name: name, target: "Absent", ResourceBundle.entity("Other"))
        let own = try ResourceBundle(name: name, target: "TestSupport", ResourceBundle.entity("Own"))
        let container = NSPersistentContainer(name: name)
        withExtendedLifetime((own, other)) {
            expectEqual(Array(container.managedObjectModel.entitiesByName.keys), ["Own"])
        }
    }

    #if compiler(>=6.3)
        @Test(
            "Several models of one name stop, with the files of all",
            arguments: [["TestSupport", "CoreDataTestSupport"], ["Absent", "AbsentToo"]])
        func several(_ targets: [String]) async throws {
            let name = ResourceBundle.newName()
            let bundles = try targets.map { try ResourceBundle(name: name, target: $0) }
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [name = name as String] in
                _ = NSPersistentContainer(name: name)
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Several models are named \(name)", "\(text)")
            for bundle in bundles { expectContains(text, bundle.url.lastPathComponent, "\(text)") }
            expectContains(text, "init(name:managedObjectModel:)", "\(text)")
        }

        @Test("A model of a module that isn't known in the program is used with a warning")
        func unknownModule() async throws {
            let bundle = try ResourceBundle()
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                [name = bundle.name as String] in
                _ = NSPersistentContainer(name: name)
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, bundle.url.lastPathComponent, "\(text)")
            expectContains(text, "a part of this program", "\(text)")
        }

        @Test("A name without model stops, with the places that were searched and the nearest names")
        func missing() async throws {
            let bundle = try ResourceBundle()
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [name = bundle.name as String] in
                _ = NSPersistentContainer(name: String(name.dropLast()))
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Failed to find a model named Shelf", "\(text)")
            expectContains(text, "Did you mean '\(bundle.name)'?", "\(text)")
            expectContains(text, bundle.url.lastPathComponent)
            expectContains(text, ".momd")
            expectContains(text, "init(name:managedObjectModel:)")
        }

        @Test("A broken model stops, with its file and what is wrong")
        func broken() async throws {
            let bundle = try ResourceBundle("<entity/>")
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [name = bundle.name as String] in
                _ = NSPersistentContainer(name: name)
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Failed to load the model named \(bundle.name)", "\(text)")
            expectContains(text, bundle.url.lastPathComponent, "\(text)")
        }
    #endif
}
