// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The request for `momc --prepare-target`. `TargetRequest` of momc reads it.
struct PreparationRequest: Codable {
    /// A source or model, and the file that is generated from it.
    struct Generation: Codable {
        let source: String
        let generated: String
    }

    /// A module that the target depends on, which may declare types of properties.
    struct Dependency: Codable {
        let module: String
        let sources: [String]
        let models: [String]
    }

    /// The configuration of the target as the plugin read it.
    struct Configuration: Codable {
        let path: String
        let text: String
    }

    /// The modules of this package, which momc doesn't read as dependencies.
    static let ownModules: Set<String> = ["CoreData", "OpenCoreData", "CoreDataModel", "CoreDataPredicates"]

    let module: String
    let folder: String
    let configuration: Configuration?
    let sources: [String]
    let excluded: [Generation]
    let models: [Generation]
    let dependencies: [Dependency]
    /// The names of the compiled models in the bundle.
    let compiledModels: [String]
    /// The name of the target's bundle. momc removes models from it that the target no longer has.
    let bundle: String
    let accessors: String
    let registration: String
    let names: String

    var outputs: [String] { models.map(\.generated) + excluded.map(\.generated) + [accessors, registration, names] }

    /// Writes the request, unless the file has the same contents already.
    func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(self)
        if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
    }
}
