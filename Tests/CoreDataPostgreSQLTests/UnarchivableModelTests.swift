import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// A store on a server contains its model, from which it is migrated later.
@Suite("A model that can't be archived", .enabled(if: TestServer.isPresent))
struct UnarchivableModelTests {
    @Test("keeps a store from being created")
    func creation() throws {
        let database = try TestDatabase()
        let model = LibraryModel.make()
        let name = try requireValue(model.entitiesByName["Book"]?.attributesByName["name"])
        name.setValidationPredicates([NSPredicate { _, _ in true }], withValidationWarnings: ["no name"])
        let error = thrownError { _ = try database.coordinator(at: database.url(), model: model) }
        expectEqual(error?.domain, NSCocoaErrorDomain)
        expectEqual(error?.code, CocoaError.coderInvalidValue.rawValue)
        // Nothing was created: the schema can have a store of another model.
        _ = try database.coordinator(at: database.url())
    }
}
