import CoreDataPredicates

/// Names and constants in SQL text. Only definitions need constants in the text: statements bind them.
package enum SQLiteText {
    /// A name as Apple's framework writes it: plain; quoted only where it could not be read otherwise.
    ///
    /// Names of the file format begin with Z or A and are no keywords, so a name of letters, digits and
    /// underscores needs no quotes.
    package static func identifier(_ name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...255:
                    return true
                default: return false
                }
            }
        return isPlain ? name : "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    /// A string constant.
    static func string(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
    }
}
