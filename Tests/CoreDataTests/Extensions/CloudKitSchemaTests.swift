import CoreData
import Testing

@Suite("What a container for CloudKit says without the service")
struct CloudKitSchemaTests {
    @Test("the schema can't be initialized")
    func schema() throws {
        let container = NSPersistentCloudKitContainer(name: "Library", managedObjectModel: LibraryModel.make())
        for options: NSPersistentCloudKitContainerSchemaInitializationOptions in [[], .dryRun, .printSchema] {
            let error = thrownError { try container.initializeCloudKitSchema(options: options) }
            expectEqual(error?.code, 134070)
            expectEqual(error?.localizedFailureReason?.contains("CloudKit"), true)
        }
    }

    #if compiler(>=6.3)
        @Test("the log says once that nothing is mirrored")
        func log() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                for _ in 0..<2 {
                    let container = NSPersistentCloudKitContainer(name: "Tags", managedObjectModel: LibraryModel.make())
                    let description = NSPersistentStoreDescription()
                    description.type = NSInMemoryStoreType
                    container.persistentStoreDescriptions = [description]
                    container.loadPersistentStores { _, error in precondition(error == nil) }
                }
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectEqual(text.components(separatedBy: "mirrors nothing").count, 2, "\(text)")
        }
    #endif
}
