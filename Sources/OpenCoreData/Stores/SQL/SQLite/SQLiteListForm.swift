/// How a long list of values is written as one JSON array, and which SQL function reads its elements.
enum SQLiteListForm {
    /// Integers and texts as they are.
    case plain
    /// Integers as they are, reals as their bits in hexadecimal.
    case numbers
    /// Texts, some with a NUL, as their bytes in hexadecimal.
    case texts
    case blobs

    init(_ values: [SQLValue]) {
        var form = SQLiteListForm.plain
        loop: for value in values {
            switch value {
            case .real: form = .numbers
            case .blob:
                form = .blobs
                break loop
            case .text(let text) where text.utf8.contains(0):
                form = .texts
                break loop
            case .text, .integer, .null: continue
            }
        }
        self = form
    }

    /// `nil` where the elements are the values.
    var function: String? {
        switch self {
        case .plain: nil
        case .numbers: "NSCoreDataListNumber"
        case .texts: "NSCoreDataListText"
        case .blobs: "NSCoreDataListData"
        }
    }
}
