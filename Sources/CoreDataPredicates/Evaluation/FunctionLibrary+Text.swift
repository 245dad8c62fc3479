extension FunctionLibrary {
    /// Functions of strings.
    static let text: [String: LibraryFunction] = [
        "uppercase:": string { $0.uppercased() },
        "lowercase:": string { $0.lowercased() },
        "canonical:": string { Strings.fold($0, [.caseInsensitive, .diacriticInsensitive]) },
        "length:": string { NSNumber(value: $0.utf16.count) },
    ]

    private static func string(_ body: @escaping @Sendable (String) -> Any?) -> LibraryFunction {
        LibraryFunction(argumentCount: 1) { ($0[0] as? String).flatMap(body) }
    }
}
