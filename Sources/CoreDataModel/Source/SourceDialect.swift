/// How a tree of source elements is spelled in a file.
package enum SourceDialect: Sendable {
    /// Xcode's XML. What it has no place for is refused when a model is written, and ignored when one is read.
    case xml
    /// The text notation, which holds everything that a model can.
    case notation
}
