import CoreData

/// Our framework through the typed properties of a class.
struct CoreDataTypedArm: Arm {
    let name = "OpenCoreData, typed properties"

    func prepareInsert(at url: URL, count: Int) throws -> Measured {
        let context = try CoreDataStack.context(at: url, className: NSStringFromClass(TypedRecord.self))
        return Measured {
            try context.performAndWait {
                var sum: Int64 = 0
                for row in 0..<count {
                    sum &+= TypedRecord(context: context).fill(row: row)
                }
                try context.save()
                return sum
            }
        }
    }

    func prepareFetch(at url: URL) throws -> Measured {
        let context = try CoreDataStack.context(at: url, className: NSStringFromClass(TypedRecord.self))
        return Measured {
            try context.performAndWait {
                let request = NSFetchRequest<TypedRecord>(entityName: "Record")
                request.returnsObjectsAsFaults = false
                return try context.fetch(request).reduce(0) { $0 &+ $1.sum }
            }
        }
    }
}
