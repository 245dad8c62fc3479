/// The functions of the library, as selectors: an archive may name any method, and only these may be called.
package enum ArchivedFunctions {
    private static let names = Set(FunctionLibrary.names)

    /// Whether there is such a function with so many arguments: as many as its selector has colons.
    package static func accept(_ selector: String, argumentCount: Int) -> Bool {
        names.contains(selector) && argumentCount == selector.count(where: { $0 == ":" })
    }
}
