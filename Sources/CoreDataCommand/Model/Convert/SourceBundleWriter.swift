import CoreDataModel
import OpenCoreData

/// Writes a versioned source model: a folder for each version, and the name of the current one.
enum SourceBundleWriter {
    static func write(_ versions: ConvertedVersions, to url: URL) throws {
        for (name, model) in versions.models {
            try SourceModelWriter.write(model, to: url.appendingPathComponent(folderName(name)))
        }
        let current = ["_XCCurrentVersionName": folderName(versions.current)]
        try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
            .write(to: url.appendingPathComponent(".xccurrentversion"))
    }

    private static func folderName(_ version: String) -> String { version + ".xcdatamodel" }
}
