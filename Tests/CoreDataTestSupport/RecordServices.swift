import CoreData
import OwnStores

/// The services of the process, by URL. The lock guards them.
package final class RecordServices: @unchecked Sendable {
    package static let shared = RecordServices()

    private let lock = NSLock()
    private var services: [URL: MemoryRecordService] = [:]

    package func service(at url: URL) -> MemoryRecordService {
        lock.withLock {
            if let known = services[url] { return known }
            let service = MemoryRecordService()
            services[url] = service
            return service
        }
    }
}
