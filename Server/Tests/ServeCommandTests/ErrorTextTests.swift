import CoreData
import Foundation
import Testing

@testable import ServeCommand

@Suite("The log") struct ErrorTextTests {
    @Test("names the entity and the property of a refused save, and no value of a user")
    func values() throws {
        let name = NSAttributeDescription()
        (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
        name.setValidationPredicates([NSPredicate(format: "length < 5")], withValidationWarnings: ["is long"])
        let member = NSEntityDescription()
        (member.name, member.properties) = ("Member", [name])
        let model = NSManagedObjectModel()
        model.entities = [member]
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let text: String? = context.performAndWait {
            for _ in 0..<2 { NSManagedObject(entity: member, insertInto: context).setValue("Augusta", forKey: "name") }
            do {
                for object in context.insertedObjects { try object.validateForInsert() }
                return nil
            } catch {
                return error.logText
            }
        }
        #expect(text?.contains("Member.name") == true)
        #expect(text?.contains("Augusta") == false)
    }
}
