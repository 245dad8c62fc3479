import OpenCoreData

/// A failure that the command itself finds; its text is a whole sentence, with the remedy.
struct CommandError: LocalizedError {
    let errorDescription: String?

    init(_ text: String) {
        errorDescription = text
    }
}
