import Foundation
import SwiftData

enum TaskPriority: Int, Codable, CaseIterable, Comparable {
    case low = 0
    case normal = 10
    case high = 20

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

enum Recurrence: Codable, Hashable {
    case never
    case daily(every: Int)
    case weekly(days: [Int])
    case monthly(day: Int, skipsWeekends: Bool)
}

@Model
final class TaskList {
    #Unique<TaskList>([\.name])

    var name: String
    var colorHex: String = "#0A84FF"
    var sortIndex: Int
    @Relationship(deleteRule: .cascade, inverse: \TodoItem.list) var items: [TodoItem] = []

    init(name: String, sortIndex: Int = 0) {
        self.name = name
        self.sortIndex = sortIndex
    }
}

@Model
final class TodoItem {
    #Index<TodoItem>([\.dueDate], [\.isDone, \.dueDate])

    var title: String
    var notes: String?
    var isDone: Bool = false
    var dueDate: Date?
    var completedAt: Date?
    var priority: TaskPriority = TaskPriority.normal
    var recurrence: Recurrence = Recurrence.never
    var list: TaskList?
    var parent: TodoItem?
    @Relationship(deleteRule: .cascade, inverse: \TodoItem.parent) var subtasks: [TodoItem] = []
    @Relationship(deleteRule: .nullify, inverse: \TodoLabel.items) var labels: [TodoLabel] = []
    @Relationship(deleteRule: .cascade, inverse: \Reminder.item) var reminders: [Reminder] = []

    init(
        _ title: String, notes: String? = nil, dueDate: Date? = nil, priority: TaskPriority = .normal,
        list: TaskList? = nil
    ) {
        self.title = title
        self.notes = notes
        self.dueDate = dueDate
        self.priority = priority
        self.list = list
    }

    func complete(at date: Date = .now) {
        isDone = true
        completedAt = date
        for task in subtasks where !task.isDone {
            task.complete(at: date)
        }
    }

    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }
}

@Model
final class TodoLabel {
    @Attribute(.unique) var name: String
    var items: [TodoItem] = []

    init(_ name: String) { self.name = name }
}

@Model
final class Reminder {
    var fireDate: Date
    var identifier: String = UUID().uuidString
    var item: TodoItem?

    init(fireDate: Date) { self.fireDate = fireDate }
}

extension TodoItem {
    static func isDue(before date: Date) -> Predicate<TodoItem> {
        let distantPast = Date.distantPast
        return #Predicate<TodoItem> { item in
            !item.isDone && item.dueDate != nil && (item.dueDate ?? distantPast) < date
        }
    }

    static func labelled(_ name: String) -> Predicate<TodoItem> {
        #Predicate<TodoItem> { item in
            item.labels.contains { label in label.name == name }
        }
    }

    static var topLevel: FetchDescriptor<TodoItem> {
        FetchDescriptor(
            predicate: #Predicate { $0.parent == nil },
            sortBy: [SortDescriptor(\.title)])
    }
}
