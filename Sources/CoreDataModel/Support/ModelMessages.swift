/// Messages for what Apple's API can only answer with nil.
enum ModelMessages {
    /// Writes an error's text to standard error.
    static func say(_ error: any Error) {
        FileHandle.standardError.write(Data("CoreData: \(error.localizedDescription)\n".utf8))
    }
}
