/// A source file that was made: of a model, or of other sources.
package struct GeneratedFile: Equatable, Sendable {
    /// The file's name, without folder.
    package let name: String
    /// Its whole text, ending with a line break.
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
