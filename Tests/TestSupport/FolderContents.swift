import Foundation

extension TemporaryFolder {
    /// Every file of a folder with its bytes, to see whether anything was touched.
    package static func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }
}
