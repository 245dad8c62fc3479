import CoreData

/// A model with keys and relationships, and files to import.
struct ImportSample {
    static let model = """
        Person {
            attribute name: string, required
            attribute email: string
            attribute age: integer16, min: 0
            to-many cars: Car, inverse: owner, delete: nullify
            to-many friends: Person, inverse: friends, delete: nullify
            unique email
        }
        Car {
            attribute plate: string, required
            attribute country: string, default: "D"
            attribute price: decimal
            attribute chassis: string
            to-one owner: Person, inverse: cars, delete: nullify
            unique country, plate
            unique chassis
        }
        SportCar: Car { attribute power: integer32 }
        Note { attribute text: string; attribute kind: string }
        """

    let folder: TemporaryFolder
    let store: String
    let modelPath: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("Garage.sqlite")
        modelPath = folder.path("Garage.coredata")
        try Data(Self.model.utf8).write(to: URL(fileURLWithPath: modelPath))
    }

    /// Writes a file.
    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// Imports a file, and makes the store first.
    func run(_ file: String, _ entity: String, _ arguments: String...) async throws -> CommandRun {
        try await CommandRun(
            arguments: ["store", "import", store, file, "--entity", entity]
                + (arguments.contains("--dry-run") ? [] : ["--create", "--model", modelPath]) + arguments)
    }

    /// The values of some key paths, as CSV without the header.
    func values(_ entity: String, _ columns: String, sort: String) async throws -> [String] {
        let run = try await CommandRun(
            "store", "fetch", store, "--entity", entity, "--fetch", columns, "--sort", sort, "--format", "csv")
        return run.output.components(separatedBy: "\r\n").dropFirst().dropLast().map { $0 }
    }
}
