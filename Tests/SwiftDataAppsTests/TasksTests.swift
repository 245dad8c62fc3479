import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct TasksTests {
    let store: AppStore

    init() throws {
        store = try AppStore(TaskList.self, TodoItem.self, TodoLabel.self, Reminder.self)
    }

    private func fill(_ context: ModelContext) {
        let home = TaskList(name: "Home", sortIndex: 2)
        let paint = TodoItem("Paint", dueDate: day(5), priority: .high, list: home)
        let brushes = TodoItem("Brushes", notes: "two")
        brushes.parent = paint
        let wash = TodoItem("Wash them")
        brushes.subtasks.append(wash)
        wash.reminders.append(Reminder(fireDate: day(3)))
        let bins = TodoItem("Bins", dueDate: day(1), priority: .low, list: home)
        bins.recurrence = .weekly(days: [2, 5])
        let weekly = TodoLabel("weekly")
        weekly.items = [bins]
        bins.labels.append(TodoLabel("outside"))
        // The deepest item of the tree brings all others.
        context.insert(wash)
        context.insert(bins)
    }

    @Test func deepestItemBringsTheTree() throws {
        let context = try store.relaunched(after: fill)
        let wash = try context.one(TodoItem.self, where: #Predicate { $0.title == "Wash them" })
        expectEqual(wash.depth, 2)
        expectEqual(wash.parent?.parent?.list?.name, "Home")
        try expectEqual(context.fetch(TodoItem.topLevel).map(\.title), ["Bins", "Paint"])
    }

    @Test func payloadsOfRecurrencesAreRead() throws {
        let context = try store.relaunched(after: fill)
        let bins = try context.one(TodoItem.self, where: #Predicate { $0.title == "Bins" })
        expectEqual(bins.recurrence, .weekly(days: [2, 5]))
        bins.recurrence = .monthly(day: 31, skipsWeekends: true)
        try context.save()
        let after = try store.launch()
        let again = try after.one(TodoItem.self, where: #Predicate { $0.title == "Bins" })
        expectEqual(again.recurrence, .monthly(day: 31, skipsWeekends: true))
    }

    @Test func dueItemsAreFetched() throws {
        let context = try store.relaunched(after: fill)
        let due = FetchDescriptor(predicate: TodoItem.isDue(before: day(3)))
        try expectEqual(context.fetch(due).map(\.title), ["Bins"])
    }

    @Test func labelledItemsAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(TodoItem.self, where: TodoItem.labelled("weekly")).title, "Bins")
        try expectEqual(context.one(TodoItem.self, where: TodoItem.labelled("outside")).title, "Bins")
    }

    @Test func rawValuesAreAsked() throws {
        let context = try store.relaunched(after: fill)
        let minimum = TaskPriority.normal.rawValue
        let items = try context.fetch(
            FetchDescriptor<TodoItem>(
                predicate: #Predicate { $0.priority.rawValue >= minimum }, sortBy: [SortDescriptor(\.title)]))
        expectEqual(items.map(\.title), ["Brushes", "Paint", "Wash them"])
    }

    @Test func completionReachesSubtasks() throws {
        let context = try store.relaunched(after: fill)
        try context.one(TodoItem.self, where: #Predicate { $0.title == "Paint" }).complete(at: day(6))
        try context.save()
        let done = FetchDescriptor<TodoItem>(predicate: #Predicate { $0.isDone && $0.completedAt != nil })
        let after = try store.launch()
        try expectEqual(after.fetchCount(done), 3)
    }

    @Test func undoTakesBackAChange() throws {
        let context = try store.relaunched(after: fill)
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
        let paint = try context.one(TodoItem.self, where: #Predicate { $0.title == "Paint" })
        undoManager.beginUndoGrouping()
        paint.title = "Paint the door"
        paint.subtasks = []
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        undoManager.undo()
        expectEqual(paint.title, "Paint")
        expectEqual(paint.subtasks.count, 1)
        undoManager.redo()
        expectEqual(paint.title, "Paint the door")
        expectEmpty(paint.subtasks)
    }

    @Test func deletedListTakesTheTree() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(TaskList.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(TodoItem.self), 0)
        try expectEqual(after.count(Reminder.self), 0)
        try expectEqual(after.count(TodoLabel.self), 2)
    }

    @Test func deletedItemAnswersItsLastValues() throws {
        let context = try store.relaunched(after: fill)
        let bins = try context.one(TodoItem.self, where: #Predicate { $0.title == "Bins" })
        context.delete(bins)
        expectTrue(bins.isDeleted)
        try context.save()
        expectEqual(bins.title, "Bins")
        expectEqual(bins.modelContext, nil)
    }

    @Test func enumerationsOfABatchChangeModels() throws {
        let context = try store.relaunched(after: fill)
        try context.enumerate(FetchDescriptor<TodoItem>(), batchSize: 2, allowEscapingMutations: true) { item in
            item.notes = "seen"
        }
        try context.save()
        let seen = FetchDescriptor<TodoItem>(predicate: #Predicate { $0.notes == "seen" })
        let after = try store.launch()
        try expectEqual(after.fetchCount(seen), 4)
    }

    @Test func enumerationRefusesChanges() throws {
        let context = try store.relaunched(after: fill)
        #expect(throws: (any Error).self) {
            try context.enumerate(FetchDescriptor<TodoItem>(), batchSize: 2) { $0.notes = "seen" }
        }
    }

    @Test func coreDataFindsIndexedItems() throws {
        _ = try store.relaunched(after: fill)
        let context = try store.managedContext()
        let titles = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "TodoItem")
            request.predicate = NSPredicate(format: "dueDate != nil AND list.name == %@", "Home")
            request.sortDescriptors = [NSSortDescriptor(key: "dueDate", ascending: true)]
            return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
        }
        expectEqual(titles, ["Bins", "Paint"])
    }
}
