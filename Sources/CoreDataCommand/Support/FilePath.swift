import ArgumentParser

/// A path on the command line. An empty one, as an unset variable of a shell gives, would mean the current folder.
struct FilePath: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }
}
