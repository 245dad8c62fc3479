import Foundation
import SwiftData

enum Weekday: String, Codable, CaseIterable, Hashable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

enum HabitGoal: Codable, Equatable {
    case yes
    case count(Int)
    case minutes(Double, unit: String)
}

@Model
final class Habit: CustomStringConvertible {
    var name: String
    var `repeat`: Set<Weekday>
    var goal: HabitGoal
    var goals: [HabitGoal] = []
    var startTime: DateComponents?
    var archived: Bool = false
    var `protocol`: String = "none"
    @Relationship(deleteRule: .cascade, inverse: \HabitEntry.habit)
    var entries: [HabitEntry] = []
    var group: HabitGroup?

    init(
        name: String,
        repeat days: Set<Weekday> = Set(Weekday.allCases),
        goal: HabitGoal = .yes,
        group: HabitGroup? = nil
    ) {
        self.name = name
        self.repeat = days
        self.goal = goal
        self.group = group
    }

    var description: String { "\(name): \(entries.count)" }

    /// The number of days in succession, up to a day.
    func streak(until day: Date) -> Int {
        let days = Set(entries.map { Int($0.day.timeIntervalSinceReferenceDate / 86_400) })
        var current = Int(day.timeIntervalSinceReferenceDate / 86_400)
        var streak = 0
        while days.contains(current) {
            streak += 1
            current -= 1
        }
        return streak
    }
}

@Model
final class HabitEntry {
    var day: Date
    var amount: Double?
    var mood: Character.Mood?
    var habit: Habit?

    init(day: Date, amount: Double? = nil, habit: Habit? = nil) {
        self.day = day
        self.amount = amount
        self.habit = habit
    }
}

extension Character {
    enum Mood: Int, Codable {
        case bad = -1
        case neutral
        case good
    }
}

@Model
final class HabitGroup {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Habit.group) var habits: [Habit] = []

    init(name: String, @HabitBuilder habits: () -> [Habit] = { [] }) {
        self.name = name
        self.habits = habits()
    }
}

@resultBuilder
enum HabitBuilder {
    static func buildBlock(_ habits: Habit...) -> [Habit] { habits }
}
