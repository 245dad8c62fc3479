/// The strings file of a model: `NameModel.strings` for `Name.mom`, in the localization folders beside it.
enum LocalizationFile {
    /// - Returns: nil if there is no strings file for any of the user's languages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` naming the file if there is one that can't be read.
    static func dictionary(forModelAt url: URL) throws -> [String: String]? {
        let fileName = url.deletingPathExtension().lastPathComponent + "Model.strings"
        let folder = url.deletingLastPathComponent()
        let folders = languageFolders.map { folder.appendingPathComponent($0 + ".lproj") } + [folder]
        for file in folders.map({ $0.appendingPathComponent(fileName) })
        where FileManager.default.fileExists(atPath: file.path) {
            return try StringsFileReader.read(try ModelFile.contents(of: file), from: file)
        }
        return nil
    }

    /// The user's languages, each with its region and without, then the development languages.
    private static var languageFolders: [String] {
        var names: [String] = []
        for language in Locale.preferredLanguages {
            names.append(language)
            names.append(language.replacingOccurrences(of: "-", with: "_"))
            if let base = language.split(separator: "-").first { names.append(String(base)) }
        }
        return names + ["Base", "en", "English"]
    }
}
