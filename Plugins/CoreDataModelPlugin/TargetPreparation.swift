// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The command that generates a target's classes and accessors.
///
/// The request is a file, since the paths of all sources of a target and its dependencies may be too long for a command
/// line.
struct TargetPreparation {
    private let request: PreparationRequest
    private let requestFile: URL
    private let inputs: [URL]

    init(
        of target: SwiftSourceModuleTarget, in package: Package, files: TargetFiles, others: [any Target], folder: URL
    ) throws {
        var names = CopyNames()
        let models = files.modelsWithClasses
        let dependencies = try Self.dependencies(of: target).map {
            ($0.moduleName, try TargetFiles(of: $0, others: others))
        }
        request = PreparationRequest(
            module: target.moduleName,
            folder: target.directoryURL.path,
            configuration: files.configuration.url.map { .init(path: $0.path, text: files.configuration.text) },
            sources: files.compiledSources.map(\.path),
            excluded: files.excludedSources.map {
                .init(source: $0.path, generated: names.copy(of: $0, in: folder).path)
            },
            models: models.map {
                .init(source: $0.url.path, generated: folder.appending(path: "\($0.name)+CoreDataModel.swift").path)
            },
            dependencies: dependencies.map { module, files in
                .init(
                    module: module, sources: files.allSources.map(\.path),
                    models: files.modelsWithClasses.map(\.url.path))
            },
            compiledModels: files.models.map(\.compiledName),
            bundle: "\(package.displayName)_\(target.name).resources",
            accessors: folder.appending(path: "\(target.moduleName)+ManagedAccessors.swift").path,
            registration: folder.appending(path: "\(target.moduleName)+ManagedClasses.swift").path,
            names: folder.appending(path: "\(target.moduleName)+CoreDataNames.swift").path)
        requestFile = folder.appending(path: "\(target.moduleName)-CoreData.json")
        // The compiled models make the command wait for them: an error in a model is then printed once.
        inputs =
            [files.configuration.url].compactMap { $0 } + models.map { $0.compiled(in: folder) }
            + ([files] + dependencies.map(\.1)).flatMap { $0.allSources + $0.modelsWithClasses.flatMap(\.inputs) }
        try request.write(to: requestFile)
    }

    /// The targets with Swift sources that a target depends on, each once, without this package and the targets that
    /// only this package depends on.
    private static func dependencies(of target: any Target) -> [SwiftSourceModuleTarget] {
        var found: [SwiftSourceModuleTarget] = []
        var seen: Set<String> = []
        func visit(_ target: any Target) {
            for dependency in target.dependencies {
                let targets: [any Target] =
                    switch dependency {
                    case .target(let target): [target]
                    case .product(let product): product.targets
                    @unknown default: []
                    }
                for target in targets where seen.insert(target.id).inserted {
                    guard let target = target as? SwiftSourceModuleTarget else { continue }
                    if PreparationRequest.ownModules.contains(target.moduleName) { continue }
                    found.append(target)
                    visit(target)
                }
            }
        }
        visit(target)
        return found
    }

    func command(by compiler: URL) -> Command {
        .buildCommand(
            displayName: "Generating Core Data classes of \(request.module)", executable: compiler,
            arguments: ["--prepare-target", requestFile.path], inputFiles: inputs,
            outputFiles: request.outputs.map { URL(fileURLWithPath: $0) })
    }
}

/// Unique names for the copies of sources.
private struct CopyNames {
    private var used: Set<String> = []

    mutating func copy(of source: URL, in folder: URL) -> URL {
        let stem = "Managed-" + source.deletingPathExtension().lastPathComponent
        var name = stem
        var number = 2
        while !used.insert(name.lowercased()).inserted {
            name = "\(stem)-\(number)"
            number += 1
        }
        return folder.appending(path: name + ".swift")
    }
}
