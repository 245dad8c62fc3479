extension String {
    /// The order of names in version hashes and caches: by the bytes of their UTF-8 form, so capitals come before small
    /// letters.
    package func precedesBytewise(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
