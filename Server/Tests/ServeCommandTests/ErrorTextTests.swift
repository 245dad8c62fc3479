import CoreData
import Foundation
import Testing

@testable import ServeCommand

@Suite("The log") struct ErrorTextTests {
    @Test("names the entity and the property of a refused save, and no value of a user")
    func values() throws {
        let context = NSManagedObjectContext(.privateQueue)
        let text: String? = context.performAndWait {
            let name = NSAttributeDescription()
            (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
            name.setValidationPredicates([NSPredicate(format: "length < 5")], withValidationWarnings: ["is long"])
            let member = NSEntityDescription()
            (member.name, member.properties) = ("Member", [name])
            let model = NSManagedObjectModel()
            model.entities = [member]
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let object = NSManagedObject(entity: member, insertInto: context)
            object.setValue("Augusta", forKey: "name")
            do {
                try object.validateForInsert()
                return nil
            } catch {
                return error.logText
            }
        }
        #expect(text?.contains("Member.name") == true)
        #expect(text?.contains("Augusta") == false)
    }
}
