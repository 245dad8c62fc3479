internal import CSwiftRuntime

/// How messages call the thread that code runs on.
enum CurrentThread {
    /// The number by which the system's tools know the thread.
    static var number: Int { Int(opencoredata_thread_number()) }

    /// The label of the dispatch queue that the thread works for, as long as it does; nil if there is none.
    static var queueLabel: UnsafePointer<CChar>? {
        guard let label = opencoredata_queue_label(nil), label.pointee != 0 else { return nil }
        return label
    }

    /// The thread and its queue, in words.
    static var description: String {
        let queue = queueLabel.map { " on the queue '\(String(cString: $0))'" } ?? ""
        let name = Thread.current.name.flatMap { $0.isEmpty ? nil : " '\($0)'" } ?? ""
        return "thread \(number)\(name)\(queue)"
    }
}
