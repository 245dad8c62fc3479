import CoreData

/// Our framework through `value(forKey:)` and `setValue(_:forKey:)`, as a program without classes uses it.
struct CoreDataKeyValueArm: Arm {
    let name = "OpenCoreData, value(forKey:)"

    func prepareInsert(at url: URL, count: Int) throws -> Measured {
        let context = try CoreDataStack.context(at: url, className: "NSManagedObject")
        return Measured {
            try context.performAndWait {
                var sum: Int64 = 0
                for row in 0..<count {
                    let object = NSEntityDescription.insertNewObject(forEntityName: "Record", into: context)
                    for (column, key) in Workload.columns.enumerated() {
                        let value = Workload.value(row: row, column: column)
                        object.setValue(value, forKey: key)
                        sum &+= value
                    }
                }
                try context.save()
                return sum
            }
        }
    }

    func prepareFetch(at url: URL) throws -> Measured {
        let context = try CoreDataStack.context(at: url, className: "NSManagedObject")
        return Measured {
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Record")
                request.returnsObjectsAsFaults = false
                var sum: Int64 = 0
                for object in try context.fetch(request) {
                    for key in Workload.columns {
                        sum &+= (object.value(forKey: key) as? NSNumber)?.int64Value ?? 0
                    }
                }
                return sum
            }
        }
    }
}
