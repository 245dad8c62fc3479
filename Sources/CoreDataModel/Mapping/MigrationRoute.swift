// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A sequence of migrations from one version of a model to another. ``MigrationRouteSearch`` finds it.
package struct MigrationRoute {
    /// How one step is migrated.
    package enum Way {
        /// By a mapping model that is inferred: a lightweight migration.
        case inferred
        /// By a mapping model of the program.
        case mappingModel(KnownMapping)

        var isInferred: Bool {
            if case .inferred = self { true } else { false }
        }
    }

    package struct Step {
        /// The model of the version before.
        package let source: NSManagedObjectModel
        /// The model of the version after.
        package let destination: NSManagedObjectModel
        /// The version after; nil for the destination of the route.
        package let version: ModelVersion?
        package let way: Way
    }

    /// In the order of their execution. A route has at least one.
    package let steps: [Step]

    /// Whether the route is one inferred step.
    package var isLightweight: Bool { steps.count == 1 && steps[0].way.isInferred }

    /// A mapping model that a step may use.
    package struct KnownMapping {
        /// The file; nil for a mapping model that the program has made.
        package let url: URL?
        package let model: NSMappingModel

        package init(_ model: NSMappingModel) {
            url = nil
            self.model = model
        }

        /// The name of the file.
        package var name: String { url?.lastPathComponent ?? "a mapping model" }

        /// Reads a mapping model.
        ///
        /// - Throws: `CocoaError` with the file.
        package init(at url: URL) throws {
            self.url = url
            model = try MappingModelFile.load(at: url)
        }

        /// The mapping models in files. Files that can't be read are left out, and reported.
        ///
        /// - Parameter report: gets their errors; the default writes them to standard error.
        package static func load(_ files: [URL], report: (any Error) -> Void = StandardErrorLog.write)
            -> [KnownMapping]
        {
            files.compactMap { file in
                do {
                    return try KnownMapping(at: file)
                } catch {
                    report(error)
                    return nil
                }
            }
        }
    }

    /// The mapping models of the steps.
    package var mappings: [KnownMapping] {
        steps.compactMap { step in
            if case .mappingModel(let mapping) = step.way { mapping } else { nil }
        }
    }
}
