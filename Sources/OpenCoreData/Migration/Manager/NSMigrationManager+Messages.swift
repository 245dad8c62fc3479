// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The methods that expressions of mapping models call: `FUNCTION($manager, "selector:", …)`.
extension NSMigrationManager: MessageReceiving {
    package final func perform(_ selector: String, with arguments: [Any?]) -> Any?? {
        switch (selector, arguments.count) {
        case ("fetchRequestForSourceEntityNamed:predicateString:", 2):
            return kept { try fetchRequest(arguments[0], arguments[1]) }
        case ("destinationInstancesForEntityMappingNamed:sourceInstances:", 2):
            return .some(
                destinationInstances(
                    forEntityMappingName: arguments[0] as? String ?? "", sourceInstances: Self.objects(arguments[1])))
        case ("destinationInstancesForSourceRelationshipNamed:sourceInstances:", 2):
            return .some(destinationInstances(ofAnyMapping: Self.objects(arguments[1])))
        case ("sourceInstancesForEntityMappingNamed:destinationInstances:", 2):
            return .some(
                sourceInstances(
                    forEntityMappingName: arguments[0] as? String ?? "",
                    destinationInstances: Self.objects(arguments[1]))
            )
        case ("sourceEntityForEntityMapping:", 1):
            return .some((arguments[0] as? NSEntityMapping).flatMap(sourceEntity))
        case ("destinationEntityForEntityMapping:", 1):
            return .some((arguments[0] as? NSEntityMapping).flatMap(destinationEntity))
        default:
            if let method = MigrationMethods.method(selector, of: type(of: self)) {
                return kept { try method(self, arguments) }
            }
            // The values that expressions read by key.
            if arguments.isEmpty || selector.hasPrefix("valueForKey") { return nil }
            return kept { throw missingMethod(selector) }
        }
    }

    private func missingMethod(_ selector: String) -> NSError {
        let known = MigrationMethods.selectors(of: type(of: self))
        return CoreDataErrors.error(
            NSMigrationError, "The mapping model can\u{2019}t be used.",
            reason:
                "Its expressions call \u{201c}\(selector)\u{201d} of \(type(of: self)), which has no such method."
                + NearestNames.suggestion(for: selector, in: known),
            suggestion:
                "Register the method: NSMigrationManager.register(\"\(selector)\", of: \(type(of: self)).self).",
            userInfo: [NSMigrationEntityMappingKey: currentEntityMapping])
    }

    /// The result of a block; its error is thrown after the expression.
    private func kept(_ body: () throws -> Any?) -> Any?? {
        do {
            return .some(try body())
        } catch {
            functionFailure = functionFailure ?? error
            return .some(nil)
        }
    }

    /// The request for the objects of one entity, without its subentities: each of these has its own mapping.
    private func fetchRequest(_ name: Any?, _ filter: Any?) throws -> NSFetchRequest<NSManagedObject> {
        let migration = running("fetchRequestForSourceEntityNamed:predicateString:")
        guard let name = name as? String, migration.source.entity(named: name) != nil else {
            throw MigrationErrors.invalidMapping(
                "It fetches the objects of an entity \u{201c}\(name ?? "nil")\u{201d}, which the source model lacks.")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        if let filter = filter as? String, filter != MappingExpressions.noFilter {
            do {
                request.predicate = try NSPredicate.parse(filter)
            } catch {
                throw MigrationErrors.invalidMapping(
                    "The filter of \(name) can\u{2019}t be read: \(error)")
            }
        }
        return request
    }

    /// The objects that any mapping has made from source objects.
    private func destinationInstances(ofAnyMapping sources: [NSManagedObject]) -> [NSManagedObject] {
        let migration = running("destinationInstancesForSourceRelationshipNamed:sourceInstances:")
        return migration.associations.destinations(ofAnyMapping: sources, in: migration.destination)
    }

    /// The objects in the value of a relationship. Nil is no object, so that an empty relationship stays empty.
    static func objects(_ value: Any?) -> [NSManagedObject] {
        switch value.flatMap(PropertySlot.unwrapped) {
        case let object as NSManagedObject: [object]
        case let objects as [NSManagedObject]: objects
        case let objects as NSOrderedSet: objects.array.compactMap { $0 as? NSManagedObject }
        case let objects as NSSet: objects.allObjects.compactMap { $0 as? NSManagedObject }
        case let objects as NSArray: objects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }
}
