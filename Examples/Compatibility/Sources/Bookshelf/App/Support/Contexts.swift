import CoreData

extension NSManagedObjectContext {
    // The framework has this method since iOS 15. Older apps have their own.
    func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        func rethrowing(_ fail: (Error) throws -> T) rethrows -> T {
            var result: Result<T, Error>?
            withoutActuallyEscaping(block) { block in
                performAndWait { result = Result { try block() } }
            }
            switch result! {
            case .success(let value): return value
            case .failure(let error): return try fail(error)
            }
        }
        return try rethrowing { throw $0 }
    }
}
