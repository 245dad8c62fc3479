import CoreDataPredicates

/// The shortest sequence of migrations from one version of a model to another.
package struct MigrationRoute {
    /// How one step is migrated.
    package enum Way {
        /// By a mapping model that is inferred: a lightweight migration.
        case inferred
        /// By a mapping model of the program.
        case mappingModel(KnownMapping)

        package var isInferred: Bool {
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

        /// The mapping models in files. Files that can't be read are left out.
        package static func load(_ files: [URL]) -> [KnownMapping] {
            files.compactMap { try? KnownMapping(at: $0) }
        }
    }

    /// The way of one step; nil if there is neither a mapping model nor an inferred one. A mapping model of the program
    /// comes first, as in Core Data.
    package static func way(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, _ mappings: [KnownMapping]
    ) -> Way? {
        if let file = mappings.first(where: { $0.model.matches(from: source, to: destination) }) {
            return .mappingModel(file)
        }
        return LightweightMapping.problems(from: source, to: destination).isEmpty ? .inferred : nil
    }

    /// Finds the shortest route.
    ///
    /// - Parameters:
    ///   - source: the model that made the store.
    ///   - destination: the model to migrate to.
    ///   - versions: the versions that a route may pass, in their order.
    ///   - mappings: the mapping models that a step may use.
    /// - Returns: nil if there is none. Versions that can't be read are left out.
    package static func shortest(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, through versions: [ModelVersion] = [],
        _ mappings: [KnownMapping] = []
    ) -> MigrationRoute? {
        if let way = way(from: source, to: destination, mappings) {
            return MigrationRoute(
                steps: [Step(source: source, destination: destination, version: nil, way: way)])
        }
        var unvisited = versions.filter {
            $0.versionHashes != source.entityVersionHashesByName
                && $0.versionHashes != destination.entityVersionHashesByName
        }
        // Breadth first: the routes with one step more than those before.
        var routes: [[Step]] = [[]]
        while !routes.isEmpty {
            var longer: [[Step]] = []
            for route in routes {
                let last = route.last?.destination ?? source
                var remaining: [ModelVersion] = []
                for version in unvisited {
                    guard let model = try? version.model() else { continue }
                    guard let way = way(from: last, to: model, mappings) else {
                        remaining.append(version)
                        continue
                    }
                    let steps = route + [Step(source: last, destination: model, version: version, way: way)]
                    if let end = self.way(from: model, to: destination, mappings) {
                        return MigrationRoute(
                            steps: steps + [Step(source: model, destination: destination, version: nil, way: end)])
                    }
                    longer.append(steps)
                }
                unvisited = remaining
            }
            routes = longer
        }
        return nil
    }
}
