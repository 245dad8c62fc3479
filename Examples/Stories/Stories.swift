import CoreData

/// Five programs of a few screens each. `swift run stories NAME` runs one, and without a name all of them.
@main
struct Stories {
    /// A story with a temporary folder, which is empty before and removed afterwards.
    typealias Story = @Sendable (_ folder: URL) throws -> Void

    static let stories: KeyValuePairs<String, Story> = [
        "two-halves": TwoHalves.run,
        "model-life": ModelLife.run,
        "entities-first": EntitiesFirst.run,
        "delivered-data": DeliveredData.run,
        "migration-by-hand": MigrationByHand.run,
    ]

    static func main() throws {
        let names = CommandLine.arguments.dropFirst()
        let known = stories.map(\.key)
        if let unknown = names.first(where: { !known.contains($0) }) {
            print("There is no story '\(unknown)'. The stories: \(known.joined(separator: ", "))")
            exit(64)
        }
        for (name, story) in stories where names.isEmpty || names.contains(name) {
            if names.count != 1 { print("\n\(name)") }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "OpenCoreData-\(name)-\(UUID().uuidString.prefix(8))", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try story(folder)
        }
    }
}

/// A folder with the models of one story.
struct StoryModels {
    let url: URL

    init(_ story: String) { url = Bundle.module.bundleURL.appendingPathComponent("Models/\(story)") }

    /// Loads the model of a file in the folder.
    func model(_ name: String) throws -> NSManagedObjectModel {
        let url = url.appendingPathComponent("\(name).xcdatamodel")
        guard let model = NSManagedObjectModel(contentsOf: url) else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        return model
    }
}
