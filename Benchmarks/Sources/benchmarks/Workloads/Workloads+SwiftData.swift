import CoreData
import SwiftData

/// Models of SwiftData beside managed objects of generated classes.
extension Workloads {
    static var swiftData: [Workload] {
        [fetchModels, fetchMixedModels, readModelsAgain, insertModels, insertMixedModels]
    }

    /// The options with which the stores of SwiftData are opened.
    private static var storeOptions: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    private static var fetchModels: Workload {
        Workload(
            name: "swiftdata-fetch", title: "fetch # models of 10 integers and read every property", rows: 200_000,
            checkedRows: 2000, group: .swiftData,
            arms: [
                Arm(Arm.managedObjects) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows), options: storeOptions)
                    return Measured(stack) { _ in
                        let objects = try stack.objects(Reading.self)
                        return Outcome(objects.reduce(0) { $0 &+ $1.sum }, retained: objects)
                    }
                },
                Arm(Arm.swiftData) { stage, rows in
                    let stack = try SwiftDataStack(try SwiftDataStack.readings(stage, rows))
                    return Measured {
                        let models = try stack.context.fetch(FetchDescriptor<SwiftDataModels.Reading>())
                        return Outcome(models.reduce(0) { $0 &+ $1.sum }, retained: models)
                    }
                },
            ],
            targets: [
                .ratio(Arm.swiftData, to: Arm.managedObjects, atMost: 1.3),
                .bytes(Arm.swiftData, beyond: Arm.managedObjects, atMost: 100),
            ])
    }

    private static var fetchMixedModels: Workload {
        Workload(
            name: "swiftdata-fetch-mixed", title: "fetch # models of 10 mixed attributes and read every property",
            rows: 200_000, checkedRows: 1000, group: .swiftData,
            arms: [
                Arm(Arm.managedObjects) { stage, rows in
                    let stack = try StoreStack(try ArticleValues.fixture(stage, rows), options: storeOptions)
                    return Measured(stack) { _ in
                        let articles = try stack.objects(Article.self)
                        return Outcome(articles.reduce(0) { $0 &+ $1.checksum }, retained: articles)
                    }
                },
                Arm(Arm.swiftData) { stage, rows in
                    let stack = try SwiftDataStack(try SwiftDataStack.articles(stage, rows))
                    return Measured {
                        let models = try stack.context.fetch(FetchDescriptor<SwiftDataModels.Article>())
                        return Outcome(models.reduce(0) { $0 &+ $1.checksum }, retained: models)
                    }
                },
            ],
            targets: [.ratio(Arm.swiftData, to: Arm.managedObjects, atMost: 1.3)])
    }

    private static var readModelsAgain: Workload {
        let (models, objects) = ("SwiftData, a property", "OpenCoreData, a property")
        return Workload(
            name: "swiftdata-read-again", title: "read every property of # models of 10 integers again", rows: 200_000,
            checkedRows: 2000, group: .swiftData,
            arms: [
                Arm(objects, units: { $0 * ReadingValues.columnCount }) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows), options: storeOptions)
                    let objects = try stack.objects(Reading.self)
                    return Measured(stack) { _ in Outcome(objects.reduce(0) { $0 &+ $1.sum }) }
                },
                Arm(models, units: { $0 * ReadingValues.columnCount }) { stage, rows in
                    let stack = try SwiftDataStack(try SwiftDataStack.readings(stage, rows))
                    let models = try stack.context.fetch(FetchDescriptor<SwiftDataModels.Reading>())
                    return Measured { withExtendedLifetime(stack) { Outcome(models.reduce(0) { $0 &+ $1.sum }) } }
                },
            ],
            targets: [.time(models, atMostNanoseconds: 15)])
    }

    private static var insertModels: Workload {
        Workload(
            name: "swiftdata-insert", title: "insert # models of 10 integers and save", rows: 50_000,
            checkedRows: 1000, group: .swiftData,
            arms: [
                Arm(Arm.managedObjects) { stage, rows in
                    let stack = try StoreStack(stage.newFile(), options: storeOptions)
                    return Measured(stack) { context in
                        for row in 0..<rows { Reading(context: context).setAll(row: row) }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.swiftData) { stage, rows in
                    let stack = try SwiftDataStack(stage.newFile())
                    return Measured {
                        for row in 0..<rows { stack.context.insert(SwiftDataModels.Reading(row: row)) }
                        try stack.context.save()
                        return Outcome(Int64(rows))
                    }
                },
            ],
            targets: [.ratio(Arm.swiftData, to: Arm.managedObjects, atMost: 1.3)])
    }

    private static var insertMixedModels: Workload {
        Workload(
            name: "swiftdata-insert-mixed", title: "insert # models of 10 mixed attributes and save", rows: 50_000,
            checkedRows: 500, group: .swiftData,
            arms: [
                Arm(Arm.managedObjects) { stage, rows in
                    let stack = try StoreStack(stage.newFile(), options: storeOptions)
                    let values = ArticleValues.rows(rows)
                    return Measured(stack) { context in
                        for values in values { Article(context: context).setAll(values) }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.swiftData) { stage, rows in
                    let stack = try SwiftDataStack(stage.newFile())
                    let values = ArticleValues.rows(rows)
                    return Measured {
                        for values in values { stack.context.insert(SwiftDataModels.Article(values)) }
                        try stack.context.save()
                        return Outcome(Int64(rows))
                    }
                },
            ],
            targets: [.ratio(Arm.swiftData, to: Arm.managedObjects, atMost: 1.3)])
    }
}
