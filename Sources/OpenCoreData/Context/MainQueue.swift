/// Tells whether code runs on the main queue; `Thread.isMainThread` doesn't once an async main was suspended.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static func mark() { _ = key }
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
