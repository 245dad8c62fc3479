// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata model diagram PATH`
struct ModelDiagramCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case svg, mermaid
    }

    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws a model: entities with attributes, relationships with crow's feet, inheritance.",
        discussion: """
            SVG is an image for browsers and documents. Mermaid is text that GitHub and GitLab show as a diagram in \
            Markdown. The same model always gives the same diagram.

            Examples:
              coredata model diagram Shop.xcdatamodeld --output shop.svg
              coredata model diagram Shop.momd --version "Shop 2" --format mermaid
            """)

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store with a model cache.", valueName: "path"))
    var path: FilePath

    @Option(
        help: "svg or mermaid. The default follows the output's extension (.svg, .mmd, .mermaid, .md, .txt), or svg."
    )
    var format: Format?

    @Option(help: ArgumentHelp("The version of a bundle to draw.", valueName: "name"))
    var version: String?

    @Option(help: ArgumentHelp("The file to write. The default is standard output.", valueName: "file"))
    var output: FilePath?

    @Flag(help: "Replace the output if it exists.")
    var force = false

    /// The formats that files with an extension may have.
    private static let extensions: [String: [Format]] = [
        "svg": [.svg], "mmd": [.mermaid], "mermaid": [.mermaid], "md": [.mermaid], "txt": [.mermaid],
    ]

    func validate() throws {
        guard let output else { return }
        let ending = URL(fileURLWithPath: output.text).pathExtension.lowercased()
        guard let formats = Self.extensions[ending] else {
            throw ValidationError(
                """
                '\(output.text)' can't be written: the formats are SVG (.svg) and Mermaid (.mmd, .mermaid, .md, .txt). \
                Write an SVG, and convert it by another program.
                """)
        }
        if let format, !formats.contains(format) {
            throw ValidationError(
                "'\(output.text)' has the extension of another format than \(format.rawValue). Leave --format out, or "
                    + "choose \(format == .svg ? ".svg" : ".mmd").")
        }
    }

    /// The maximum for SVG. A larger image is useless, and its layout takes minutes.
    private static let maximumEntityCount = 1_000

    func run() throws {
        let model = try ModelSource.model(at: path.text, version: version)
        let text = try text(of: DiagramBuilder.diagram(of: model))
        guard let output else { return try StandardStreams.output(text) }
        let url = URL(fileURLWithPath: output.text)
        guard force || !FileManager.default.fileExists(atPath: url.path) else {
            throw CommandError("\(url.path) exists already. Choose another name, or replace it with --force.")
        }
        try Data((text + "\n").utf8).write(to: url, options: .atomic)
    }

    private func text(of diagram: DiagramModel) throws -> String {
        guard chosenFormat == .svg else { return DiagramMermaid.text(of: diagram) }
        guard diagram.boxes.count <= Self.maximumEntityCount else {
            throw CommandError(
                """
                \(path.text) has \(diagram.boxes.count) entities, too many for an image (at most \
                \(Self.maximumEntityCount)). List them with 'coredata model show', or use --format mermaid.
                """)
        }
        return DiagramSVG.text(of: diagram, title: title)
    }

    private var chosenFormat: Format {
        if let format { return format }
        let isMermaid = output.map {
            ["mmd", "mermaid", "md", "txt"].contains(URL(fileURLWithPath: $0.text).pathExtension.lowercased())
        }
        return isMermaid == true ? .mermaid : .svg
    }

    /// The model's name, with the version.
    private var title: String {
        let name = URL(fileURLWithPath: path.text).deletingPathExtension().lastPathComponent
        return version.map { "\(name), \($0)" } ?? name
    }
}
