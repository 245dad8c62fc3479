import CoreDataModel
import OpenCoreData

/// The model cache of a store: a compressed archive in `Z_MODELCACHE`.
struct ModelCacheKind: InputKind {
    let name = "cache"
    let form = MutationForm.compressed

    func samples() throws -> [Data] {
        try SampleModels.all().map { try StoredModelCache.compress(try ModelArchive.encode($0, as: .storeCache)) }
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let store = folder.appendingPathComponent("Mutant.sqlite")
        let connection = try SQLiteConnection(path: store.path, mode: .create)
        try connection.run("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
        try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.bytes(mutant)])
        guard let read = try self.read(naming: store, { try SQLiteModelCache.read(on: connection) }), let model = read
        else { return .refused }
        try ModelUse.use(model, in: folder, number: number)
        return .accepted
    }
}

/// The compression of cached models.
enum StoredModelCache {
    static func compress(_ data: Data) throws -> Data { try RawDeflate.compress(data) }

    static func expand(_ data: Data) throws -> Data { try RawDeflate.expand(data) }
}
