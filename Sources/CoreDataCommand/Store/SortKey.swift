import ArgumentParser
import OpenCoreData

/// One key of `--sort`: a key path, ascending unless `:desc` follows.
struct SortKey {
    let keyPath: String
    let isAscending: Bool

    var descriptor: NSSortDescriptor { NSSortDescriptor(key: keyPath, ascending: isAscending) }

    /// The keys of `KEY[:asc|:desc],…`.
    static func parse(_ text: String) throws -> [SortKey] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let pieces = part.split(separator: ":", omittingEmptySubsequences: false)
            let direction = pieces.count == 2 ? pieces[1].lowercased() : "asc"
            guard let key = pieces.first, !key.isEmpty, pieces.count <= 2, direction == "asc" || direction == "desc"
            else {
                throw ValidationError("'\(part)' is no sort key: write KEY, KEY:asc or KEY:desc, with commas between.")
            }
            return SortKey(keyPath: String(key), isAscending: direction == "asc")
        }
    }
}
