import Foundation

/// What `momc --prepare-target` is asked to do. Its counterpart, which reads it, is `TargetRequest` of momc.
struct PreparationRequest: Codable {
    /// A file and what is generated of it.
    struct Generation: Codable {
        let source: String
        let generated: String
    }

    /// A module that the target depends on, whose types its properties may have.
    struct Dependency: Codable {
        let module: String
        let sources: [String]
        let models: [String]
    }

    /// The framework's own modules, which momc knows.
    static let ownModules: Set<String> = ["CoreData", "OpenCoreData", "CoreDataModel", "CoreDataPredicates"]

    let module: String
    let sources: [String]
    let excluded: [Generation]
    let models: [Generation]
    let dependencies: [Dependency]
    let accessors: String
    let registration: String
    let names: String

    var outputs: [String] { models.map(\.generated) + excluded.map(\.generated) + [accessors, registration, names] }

    /// Writes the request, unless it is there already.
    func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(self)
        if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
    }
}
