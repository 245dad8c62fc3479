// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Compiles the models of a target into its bundle, as Xcode does. Generates the sources that the compiler on Linux
/// needs: the classes of the models, the accessors of `@NSManaged` properties, and copies of excluded sources without
/// `@objc`.
///
/// The commands depend on the list of files only, never on their contents: SwiftPM runs the plugin again only after a
/// file was added or removed.
@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else {
            Diagnostics.warning(
                "CoreDataModelPlugin ignores \(target.name): the target has no Swift sources.")
            return []
        }
        let others = context.package.targets
        let files = try TargetFiles(of: target, others: others)
        guard files.usesCoreData, namesAreDistinct(files.models, in: target) else { return [] }
        guard Self.dependsOnCoreData(target) else {
            Diagnostics.error(
                """
                The target \(target.name) uses Core Data and does not depend on it. Add \
                .product(name: "CoreData", package: "OpenCoreData") to the dependencies of the target in Package.swift.
                """)
            return []
        }
        let compiler = try context.tool(named: "momc").url
        let folder = context.pluginWorkDirectoryURL
        return files.models.map { $0.compilation(by: compiler, for: target.moduleName, into: folder) }
            + [
                try TargetPreparation(of: target, in: context.package, files: files, others: others, folder: folder)
                    .command(by: compiler)
            ]
    }

    /// Whether the module CoreData is among the dependencies, also of other targets.
    private static func dependsOnCoreData(_ target: any Target) -> Bool {
        target.recursiveTargetDependencies.contains {
            ($0 as? SwiftSourceModuleTarget)?.moduleName == "CoreData"
        }
    }

    /// Refuses two models of the same name: both would be the same file in the bundle.
    private func namesAreDistinct(_ models: [ModelSource], in target: SwiftSourceModuleTarget) -> Bool {
        var seen: [String: ModelSource] = [:]
        var isDistinct = true
        for model in models {
            let key = (model.kind == .mapping ? "mapping " : "") + model.name.lowercased()
            if let other = seen.updateValue(model, forKey: key) {
                Diagnostics.error(
                    """
                    The target \(target.name) has two models named \(model.name): \(other.url.path) and \
                    \(model.url.path). 
                    """
                        + "Rename one, or move it out of the target's folder.")
                isDistinct = false
            }
        }
        return isDistinct
    }
}
