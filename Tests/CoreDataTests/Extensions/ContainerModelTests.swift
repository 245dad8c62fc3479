import CoreData
import Testing

@Suite("The model of a container")
struct ContainerModelTests {
    /// A resource bundle beside the program, as SwiftPM makes them, removed with the test.
    private final class ResourceBundle {
        let name = "Shelf" + UUID().uuidString.replacingOccurrences(of: "-", with: "")
        let url: URL

        init(
            _ content: String =
                #"""
            <entity name="Book" syncable="YES"><attribute name="title" optional="YES" \#
            attributeType="String"/></entity>
            """#
        ) throws {
            url = Bundle.main.bundleURL.appendingPathComponent("Test_\(name).resources")
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
    }

    @Test("It is found by name in a resource bundle beside the program")
    func found() throws {
        let bundle = try ResourceBundle()
        let container = NSPersistentContainer(name: bundle.name)
        #expect(container.managedObjectModel.entitiesByName["Book"]?.attributesByName["title"] != nil)
        #expect(
            container.name == bundle.name
                && container.persistentStoreCoordinator.managedObjectModel === container.managedObjectModel)
    }

    #if compiler(>=6.3)
        @Test("A name without model stops, with the places that were searched and the nearest names")
        func missing() async throws {
            let bundle = try ResourceBundle()
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [name = bundle.name as String] in
                _ = NSPersistentContainer(name: String(name.dropLast()))
            }
            let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(
                text.contains("Failed to find a model named Shelf") && text.contains("Did you mean '\(bundle.name)'?"),
                "\(text)")
            #expect(
                text.contains(bundle.url.lastPathComponent) && text.contains(".momd")
                    && text.contains("init(name:managedObjectModel:)"))
        }

        @Test("A broken model stops, with its file and what is wrong")
        func broken() async throws {
            let bundle = try ResourceBundle("<entity/>")
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [name = bundle.name as String] in
                _ = NSPersistentContainer(name: name)
            }
            let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(
                text.contains("Failed to load the model named \(bundle.name)")
                    && text.contains(bundle.url.lastPathComponent), "\(text)")
        }
    #endif
}
