extension String {
    /// The order of names in version hashes and model caches: the bytes of the UTF-8 form. Capital letters come before
    /// small letters.
    package func precedesBytewise(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
