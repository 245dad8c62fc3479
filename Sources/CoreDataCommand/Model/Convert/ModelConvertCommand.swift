// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata model convert SOURCE DESTINATION`
struct ModelConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a model to another format. The extension of the destination selects the format.",
        discussion: """
            \(ModelFormat.list) A bundle becomes a bundle with all versions, or a single model with the current \
            version (see --version). The result is read and compared with the source before it is written. Its version \
            hashes must be equal. Details that the new format does not support are printed as warnings to standard \
            error.

            Examples:
              coredata model convert Shop.xcdatamodeld Shop.momd
              coredata model convert Shop.momd Shop.xcdatamodeld
              coredata model convert Shop.xcdatamodeld Shop.coredata
              coredata model convert Shop.coredata Shop.xcdatamodeld --text
              coredata model convert Shop.sqlite Recovered.xcdatamodel
              coredata model convert Shop.sqlite ShopV1.swift
            """)

    @Argument(
        help: ArgumentHelp(
            "A source model, a compiled model, a .coredata file, or a store with a model cache.", valueName: "source")
    )
    var source: FilePath

    @Argument(help: ArgumentHelp("The file or folder to write.", valueName: "destination"))
    var destination: FilePath

    @Option(help: ArgumentHelp("The version of a bundle to convert to a single model.", valueName: "name"))
    var version: String?

    @Option(
        help: ArgumentHelp(
            "The module of classes of the current product module (.Song), for a compiled model.", valueName: "name"))
    var module: String?

    @Flag(help: "Write the versions of an .xcdatamodeld as texts, which Xcode doesn't read.")
    var text = false

    @Flag(help: "Replace an existing model at the destination.")
    var force = false

    func validate() throws {
        guard let format = ModelFormat(path: destination.text) else {
            throw ValidationError(
                "'\(destination.text)' has no extension of a model format. \(ModelFormat.list)")
        }
        try ModelFormat.check(isText: text, for: format)
        guard let module else { return }
        guard SwiftName.isIdentifier(module) else { throw ValidationError("'\(module)' is no valid module name.") }
        guard format.isCompiled else {
            throw ValidationError(
                """
                --module is for compiled models (.mom, .momd): a source model names a class of the current product \
                module as .Song.
                """)
        }
    }

    func run() throws {
        guard let format = ModelFormat(path: destination.text) else { return }
        let target = URL(fileURLWithPath: destination.text).standardizedFileURL
        try ModelDestination.check(target, replaces: force)
        let models = try versions(for: format, name: target.deletingPathExtension().lastPathComponent)
        if let module { for version in models.models { version.model.nameOwnModule(module) } }
        let omissions = try format.write(models, isText: text, to: target)
        for omission in omissions { StandardStreams.error("warning: \(omission)") }
    }

    private func versions(for format: ModelFormat, name: String) throws -> ConvertedVersions {
        if let version {
            let chosen = try ModelSource.versions(at: source.text).version(named: version)
            return ConvertedVersions(single: try chosen.model(), name: format.isBundle ? chosen.name : name)
        }
        guard let bundle = try ModelVersions(at: source.text) else {
            return ConvertedVersions(single: try ModelSource.model(at: source.text), name: name)
        }
        guard format.isBundle else {
            let model = try ModelSource.model(at: source.text)
            warn(ofVersionsDroppedFrom: bundle)
            return ConvertedVersions(single: model, name: name)
        }
        let models = try bundle.versions.map { (name: $0.name, model: try $0.model()) }
        guard let current = bundle.current, let versions = ConvertedVersions(models: models, current: current.name)
        else {
            throw CommandError("\(source.text) has no current version. Select one with --version.")
        }
        return versions
    }

    /// Names the versions that a single model can't contain. The user hasn't chosen one, so it may be a surprise.
    private func warn(ofVersionsDroppedFrom bundle: ModelVersions) {
        let dropped = bundle.versions.filter { !$0.isCurrent }.map { "'\($0.name)'" }
        guard let current = bundle.current, !dropped.isEmpty else { return }
        StandardStreams.error(
            """
            warning: \(destination.text) has only the current version '\(current.name)'. \
            \(dropped.count == 1 ? "The version" : "The versions") \(dropped.joined(separator: ", ")) \
            \(dropped.count == 1 ? "is" : "are") dropped. Convert another version with --version NAME, or all versions \
            to .xcdatamodeld or .momd.
            """)
    }
}
