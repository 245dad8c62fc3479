// SPDX-License-Identifier: Apache-2.0

import CoreData
import Foundation

/// The current version of a model, and the others that its bundle has.
struct ModelVersions {
    let current: NSManagedObjectModel
    /// The other versions, in the order of their names.
    let older: [NSManagedObjectModel]

    init(_ url: URL) throws {
        let versions: [NSManagedObjectModel]
        do {
            versions = try NSManagedObjectModel.versions(ofModelAt: url)
        } catch {
            throw ServeError("The model \(url.path) can't be read: \(Self.reason(error))")
        }
        guard let current = NSManagedObjectModel(contentsOf: url) else {
            throw ServeError("The model \(url.path) has no current version.")
        }
        // The classes are those of the app.
        for entity in versions.flatMap(\.entities) + current.entities {
            entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        }
        self.current = current
        // Devices that sync a configuration have versions that differ by their configurations alone.
        older = versions.filter {
            $0.entityVersionHashesByName != current.entityVersionHashesByName
                || Self.configurations($0) != Self.configurations(current)
        }
    }

    /// The names of the entities of each configuration.
    private static func configurations(_ model: NSManagedObjectModel) -> [String: Set<String>] {
        Dictionary(
            uniqueKeysWithValues: model.configurations.map { name in
                (name, Set((model.entities(forConfigurationName: name) ?? []).compactMap(\.name)))
            })
    }

    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        return error.localizedFailureReason ?? error.localizedDescription
    }
}
