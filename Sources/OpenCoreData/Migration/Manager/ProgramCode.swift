// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Code of the program that a migration calls: it can look at the objects of the migration.
enum ProgramCode {
    /// Whether the manager, a policy or an expression of a mapping model is, or calls, code of the program.
    static func isCalled(
        by manager: NSMigrationManager, _ policies: [NSEntityMigrationPolicy], _ model: NSMappingModel
    ) -> Bool {
        if type(of: manager) != NSMigrationManager.self { return true }
        if policies.contains(where: { type(of: $0) != NSEntityMigrationPolicy.self }) { return true }
        if MigrationMethods.areRegistered(of: NSMigrationManager.self)
            || MigrationMethods.areRegistered(of: NSEntityMigrationPolicy.self)
        {
            return true
        }
        return (model.entityMappings ?? []).contains { mapping in
            let properties = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
            let expressions = [mapping.sourceExpression] + properties.map(\.valueExpression)
            return expressions.contains { $0?.containsProgramCode == true }
        }
    }
}
