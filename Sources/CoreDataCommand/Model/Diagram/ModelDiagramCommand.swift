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
            SVG is a picture for a browser or a document; Mermaid is text that Markdown on GitHub and GitLab shows as a picture.
            The same model always gives the same picture.

            Examples:
              coredata model diagram Shop.xcdatamodeld --output shop.svg
              coredata model diagram Shop.momd --version "Shop 2" --format mermaid
            """)

    @Argument(help: ArgumentHelp("A source model, a compiled model, or a store with a model cache.", valueName: "path"))
    var path: FilePath

    @Option(
        help: "svg or mermaid; without it the extension of the output decides (.svg, .mmd, .mermaid), or it is svg.")
    var format: Format?

    @Option(help: ArgumentHelp("The version of a bundle that is drawn.", valueName: "name"))
    var version: String?

    @Option(help: ArgumentHelp("The file to be written, instead of standard output.", valueName: "file"))
    var output: FilePath?

    @Flag(help: "Replace the output if it exists.")
    var force = false

    /// Beyond it a picture shows nothing any more, and to lay it out takes minutes.
    private static let mostEntities = 1_000

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
        guard diagram.boxes.count <= Self.mostEntities else {
            throw CommandError(
                """
                \(path.text) has \(diagram.boxes.count) entities, too many for a picture (at most \
                \(Self.mostEntities)). 
                """
                    + "List them with 'coredata model show', or use --format mermaid.")
        }
        return DiagramSVG.text(of: diagram, title: title)
    }

    private var chosenFormat: Format {
        if let format { return format }
        let isMermaid = output.map {
            ["mmd", "mermaid"].contains(URL(fileURLWithPath: $0.text).pathExtension.lowercased())
        }
        return isMermaid == true ? .mermaid : .svg
    }

    /// The model's name, with the version.
    private var title: String {
        let name = URL(fileURLWithPath: path.text).deletingPathExtension().lastPathComponent
        return version.map { "\(name), \($0)" } ?? name
    }
}
