/// Reads values with external storage for one open store, and names each lost file once.
final class ExternalValueReader {
    let externalData: SQLiteExternalData
    /// Files that were missed.
    private var lostFiles: Set<Data> = []

    init(_ externalData: SQLiteExternalData) { self.externalData = externalData }

    /// A value whose file is lost reads as nil, so that the row's other values can still be had; its column keeps
    /// the file's name until another value is set.
    func value(of column: Data, entityName: String) throws -> Data? {
        do {
            return try externalData.decode(column)
        } catch let error as NSError where error.code == SQLiteErrors.fileReadNoSuchFile {
            guard lostFiles.insert(column).inserted else { return nil }
            let detail = [error.localizedFailureReason, error.localizedRecoverySuggestion].compactMap { $0 }.joined(
                separator: " ")
            CoreDataLog.error("\(detail) An object of entity \(entityName) has no value there.")
            return nil
        }
    }
}
