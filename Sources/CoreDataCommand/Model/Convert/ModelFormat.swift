import CoreDataModel
import OpenCoreData

/// The forms in which a model can be written, known by the extension of the file.
enum ModelFormat: String, CaseIterable {
    case sourceVersion = "xcdatamodel"
    case sourceBundle = "xcdatamodeld"
    case compiledVersion = "mom"
    case compiledBundle = "momd"

    static let list = "It can be written as .xcdatamodel (source), .xcdatamodeld (source with versions), "
        + ".mom (compiled) and .momd (compiled with versions)."

    init?(path: String) {
        self.init(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    /// Whether it holds several versions.
    var isBundle: Bool { self == .sourceBundle || self == .compiledBundle }

    /// Writes the versions, or the current one, to a place where nothing is.
    func write(_ versions: ConvertedVersions, to url: URL) throws {
        switch self {
        case .sourceBundle: try SourceBundleWriter.write(versions, to: url)
        case .compiledBundle:
            let models = Dictionary(versions.models.map { ($0.name, $0.model) }, uniquingKeysWith: { first, _ in first })
            try CompiledModelBundle.write(models, current: versions.current, to: url)
        case .sourceVersion:
            if let model = versions.currentModel { try SourceModelWriter.write(model, to: url) }
        case .compiledVersion:
            if let model = versions.currentModel { try ModelArchive.encode(model, as: .compiled).write(to: url) }
        }
    }
}
