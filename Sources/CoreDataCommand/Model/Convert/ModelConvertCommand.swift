import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model convert SOURCE DESTINATION`
struct ModelConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a model in another form, which the destination's extension names.",
        discussion: """
            \(ModelFormat.list)
            A bundle is converted to a bundle with all its versions, to a single model with its current version or that of --version.
            What was written is read back, and must have the same version hashes, before it takes its place: all of it or nothing.
            What the new form has no place for is said on standard error.

            Examples:
              coredata model convert Shop.xcdatamodeld Shop.momd
              coredata model convert Shop.momd Shop.xcdatamodeld
              coredata model convert Shop.xcdatamodeld Shop.coredata
              coredata model convert Shop.sqlite Recovered.xcdatamodel
            """)

    @Argument(
        help: ArgumentHelp(
            "A source model, a compiled model, a text (.coredata), or a store with a model cache.", valueName: "source")
    )
    var source: FilePath

    @Argument(help: ArgumentHelp("The file or folder to be written.", valueName: "destination"))
    var destination: FilePath

    @Option(help: ArgumentHelp("The version of a bundle that becomes a single model.", valueName: "name"))
    var version: String?

    @Flag(help: "Replace what is at the destination, if that is a model.")
    var force = false

    func validate() throws {
        guard ModelFormat(path: destination.text) != nil else {
            throw ValidationError(
                "'\(destination.text)' doesn't say in which form the model is to be written. \(ModelFormat.list)")
        }
    }

    func run() throws {
        guard let format = ModelFormat(path: destination.text) else { return }
        let target = URL(fileURLWithPath: destination.text).standardizedFileURL
        try ModelDestination.check(target, replaces: force)
        let models = try versions(for: format, name: target.deletingPathExtension().lastPathComponent)
        for loss in try format.write(models, to: target) { StandardStreams.error("warning: \(loss)") }
    }

    private func versions(for format: ModelFormat, name: String) throws -> ConvertedVersions {
        if let version {
            let chosen = try ModelSource.versions(at: source.text).version(named: version)
            return ConvertedVersions(single: try chosen.model(), name: format.isBundle ? chosen.name : name)
        }
        guard format.isBundle, let bundle = try ModelVersions(at: source.text) else {
            return ConvertedVersions(single: try ModelSource.model(at: source.text), name: name)
        }
        let models = try bundle.versions.map { (name: $0.name, model: try $0.model()) }
        guard let current = bundle.current, let versions = ConvertedVersions(models: models, current: current.name)
        else {
            throw CommandError("\(source.text) doesn't say which of its versions is current. Name one with --version.")
        }
        return versions
    }
}
