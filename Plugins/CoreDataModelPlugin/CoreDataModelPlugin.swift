import Foundation
import PackagePlugin

/// Compiles the models of a target into its bundle, as Xcode does, and supplies what the compiler leaves out on Linux:
/// the classes that a model generates, the accessors of `@NSManaged` properties, and copies of excluded sources without
/// `@objc`.
///
/// What the commands are depends on which files there are, never on what is in them: SwiftPM asks again only when a
/// file comes or goes.
@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else {
            Diagnostics.warning(
                "CoreDataModelPlugin does nothing for \(target.name): it is no target of Swift sources.")
            return []
        }
        let others = context.package.targets
        let files = TargetFiles(of: target, others: others)
        guard files.concernCoreData, namesAreDistinct(files.models, in: target) else { return [] }
        let compiler = try context.tool(named: "momc").url
        let folder = context.pluginWorkDirectoryURL
        return files.models.map { $0.compilation(by: compiler, into: folder) }
            + [try TargetPreparation(of: target, files: files, others: others, folder: folder).command(by: compiler)]
    }

    /// Two models of one name would be one file in the bundle.
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
