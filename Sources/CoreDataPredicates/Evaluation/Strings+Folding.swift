extension Strings {
    /// The string with case and diacritics taken away as the options say. Equal results mean equal strings.
    package static func fold(_ string: String, _ options: Options) -> String {
        guard !options.contains(.normalized), !options.isEmpty else { return string }
        if !options.contains(.localeSensitive), isASCII(string) {
            return options.contains(.caseInsensitive) ? string.lowercased() : string
        }
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        guard !folding.isEmpty else { return string }
        return string.folding(options: folding, locale: options.contains(.localeSensitive) ? .current : nil)
    }

    static func isASCII(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 }
    }
}
