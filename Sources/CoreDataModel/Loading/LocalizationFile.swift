/// The strings file of a model: `NameModel.strings` for `Name.mom`, in the localization folders beside it.
enum LocalizationFile {
    /// - Returns: nil if there is no strings file for the model.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` naming the file if there is one that can't be read.
    static func dictionary(forModelAt url: URL) throws -> [String: String]? {
        for place in places(of: url) {
            let fileName = place.deletingPathExtension().lastPathComponent + "Model.strings"
            let folder = place.deletingLastPathComponent()
            for file in (localizationFolders(in: folder) + [folder]).map({ $0.appendingPathComponent(fileName) })
            where FileManager.default.fileExists(atPath: file.path) {
                return try StringsFileReader.read(try ModelFile.contents(of: file), from: file)
            }
        }
        return nil
    }

    /// The model itself, and for a version of a bundle the bundle: its strings stand beside it, under its name.
    private static func places(of url: URL) -> [URL] {
        let folder = url.deletingLastPathComponent()
        return ["momd", "xcdatamodeld"].contains(folder.pathExtension) ? [folder, url] : [url]
    }

    /// The `.lproj` folders: the user's languages first, each with its region and without, then the development
    /// languages, then the others. Their names are compared without case, as SwiftPM writes them in small letters.
    private static func localizationFolders(in folder: URL) -> [URL] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasSuffix(".lproj")
        }.sorted()
        var wanted: [String] = []
        for language in Locale.preferredLanguages.map(plain) {
            var parts = language.split(separator: "-")
            while !parts.isEmpty {
                wanted.append(parts.joined(separator: "-"))
                parts.removeLast()
            }
        }
        wanted += ["base", "en", "english"]
        let rank = Dictionary(wanted.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
        return names.map { (rank: rank[plain(String($0.dropLast(6)))] ?? .max, name: $0) }
            .sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
            .map { folder.appendingPathComponent($0.name) }
    }

    private static func plain(_ language: String) -> String {
        language.lowercased().replacingOccurrences(of: "_", with: "-")
    }
}
