import Synchronization

/// Classes that asked to be known, until somebody looks for one.
///
/// Generated code adds its classes before the program begins, when nothing may be done but to note them: the names of
/// classes are not asked for until then.
enum ClassesToRegister {
    private static let waiting = Mutex<[(type: NSManagedObject.Type, name: String?)]>([])

    static func add(_ type: NSManagedObject.Type, _ name: String?) {
        waiting.withLock { $0.append((type, name)) }
    }

    /// Makes the classes known by their names. The lock is held meanwhile, so that nobody looks for a class halfway.
    static func register() {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return }
            for (type, name) in waiting {
                if let name {
                    ManagedObjectClasses.register(type, as: name)
                } else {
                    ManagedObjectClasses.register(type)
                }
            }
            waiting = []
        }
    }
}
