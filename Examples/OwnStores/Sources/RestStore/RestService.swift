import Foundation
import OwnStores

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of a record server: the service that the store asks.
///
/// A store answers when its method returns, so the client waits for each response on the thread of the context's queue.
final class RestService: RecordService {
    private let url: URL

    init(url: URL) { self.url = url }

    func identifier() throws -> String { try get("identifier") }

    func records(of entity: String) throws -> [Record] { try get("records/\(entity)") }

    func record(_ name: RecordName) throws -> Record? {
        let (status, data) = try response(
            URLRequest(url: url.appendingPathComponent("records/\(name.entity)/\(name.id)")))
        if status == 404 { return nil }
        return try decode(status, data)
    }

    func write(_ changes: RecordChanges) throws -> [RecordName] {
        var request = URLRequest(url: url.appendingPathComponent("changes"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(changes)
        let (status, data) = try response(request)
        return try decode(status == 409 ? 200 : status, data)
    }

    private func get<Value: Decodable>(_ path: String) throws -> Value {
        let (status, data) = try response(URLRequest(url: url.appendingPathComponent(path)))
        return try decode(status, data)
    }

    private func decode<Value: Decodable>(_ status: Int, _ data: Data) throws -> Value {
        guard status == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    private func response(_ request: URLRequest) throws -> (status: Int, data: Data) {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer()
        URLSession.shared.dataTask(with: request) { data, response, error in
            answer.result =
                error.map { .failure($0) }
                ?? .success(((response as? HTTPURLResponse)?.statusCode ?? 0, data ?? Data()))
            done.signal()
        }.resume()
        done.wait()
        return try answer.result.get()
    }

    /// Written before the semaphore is signalled, and read after it.
    private final class Answer: @unchecked Sendable {
        var result: Result<(status: Int, data: Data), any Error> = .failure(URLError(.unknown))
    }
}
