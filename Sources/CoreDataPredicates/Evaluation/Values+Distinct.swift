extension Values {
    /// The values without those that equal an earlier one. Foundation's ordered sets on Linux keep equal Swift strings.
    package static func distinct(_ values: [Any]) -> [Any] {
        var seen = ValueSet()
        return values.filter { seen.insert($0) }
    }
}
