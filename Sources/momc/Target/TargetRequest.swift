import CoreDataClasses

/// What the build plugin asks momc to generate for a target: the file that `CoreDataModelPlugin` writes, which can't
/// share a type with this tool.
struct TargetRequest: Codable {
    /// A file and what is generated of it.
    struct Generation: Codable {
        let source: String
        let generated: String
    }

    /// A module that the target depends on, whose types its properties may have.
    struct Dependency: Codable {
        let module: String
        let sources: [String]
        /// Its models, which may generate classes.
        let models: [String]
    }

    let module: String
    /// The sources that the package manager compiles.
    let sources: [String]
    /// The sources that it was told to leave out, with the copies that it compiles instead.
    let excluded: [Generation]
    /// The models, with the file of the classes that each generates.
    let models: [Generation]
    let dependencies: [Dependency]
    /// The file for the accessors of `@NSManaged` properties.
    let accessors: String
    /// The file that makes classes known by their names.
    let registration: String
    /// The file that says what the names mean that Foundation has too.
    let names: String

    /// - Throws: `CocoaError` naming the file if it can't be read or is no request.
    static func load(at url: URL) throws -> TargetRequest {
        let data = try ModelFile.contents(of: url)
        do {
            return try JSONDecoder().decode(TargetRequest.self, from: data)
        } catch {
            throw CocoaError(
                .fileReadCorruptFile,
                userInfo: [
                    NSFilePathErrorKey: url.path, NSURLErrorKey: url, NSUnderlyingErrorKey: error,
                    NSLocalizedDescriptionKey: "it is no request of CoreDataModelPlugin: remove it and build again.",
                ])
        }
    }
}
