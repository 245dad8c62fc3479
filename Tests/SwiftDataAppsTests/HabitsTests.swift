import Foundation
import SwiftData
import Testing

@Suite struct HabitsTests {
    let store: AppStore

    init() throws { store = try AppStore(Habit.self, HabitEntry.self, HabitGroup.self) }

    private func fill(_ context: ModelContext) {
        let group = HabitGroup(name: "Morning") {
            Habit(name: "Water", repeat: [.monday, .friday], goal: .count(3))
            Habit(name: "Stretch", goal: .minutes(7.5, unit: "min"))
        }
        context.insert(group)
        let water = group.habits.first { $0.name == "Water" }
        water?.startTime = DateComponents(hour: 7, minute: 30)
        water?.goals = [.yes, .count(2), .minutes(1, unit: "h")]
        water?.protocol = "glass"
        for number in [1, 2, 3, 5] {
            let entry = HabitEntry(day: day(number), amount: Double(number), habit: water)
            entry.mood = number == 5 ? .bad : nil
        }
    }

    @Test func resultBuilderMakesTheGraph() throws {
        let context = try store.relaunched(after: fill)
        let group = try context.one(HabitGroup.self)
        expectEqual(group.habits.map(\.name).sorted(), ["Stretch", "Water"])
    }

    @Test func entriesThatNameTheirHabitAreInserted() throws {
        let context = try store.relaunched(after: fill)
        let water = try context.one(Habit.self, where: #Predicate { $0.name == "Water" })
        expectEqual(water.entries.count, 4)
        expectEqual(water.streak(until: day(3)), 3)
        expectEqual(water.description, "Water: 4")
    }

    @Test func setOfAnEnumerationIsRead() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Habit.self, where: #Predicate { $0.name == "Water" }).repeat, [.monday, .friday])
        try expectEqual(context.one(Habit.self, where: #Predicate { $0.name == "Stretch" }).repeat.count, 7)
    }

    @Test func payloadsAreRead() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Habit.self, where: #Predicate { $0.name == "Water" }).goal, .count(3))
        let stretch = try context.one(Habit.self, where: #Predicate { $0.name == "Stretch" })
        expectEqual(stretch.goal, .minutes(7.5, unit: "min"))
    }

    @Test func arrayOfPayloadsIsRead() throws {
        let context = try store.relaunched(after: fill)
        let water = try context.one(Habit.self, where: #Predicate { $0.name == "Water" })
        expectEqual(water.goals, [.yes, .count(2), .minutes(1, unit: "h")])
    }

    @Test func namesOfKeywordsAreProperties() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Habit.self, where: #Predicate { $0.protocol == "glass" }).name, "Water")
    }

    @Test func optionalEnumerationOfANegativeNumberIsRead() throws {
        let context = try store.relaunched(after: fill)
        let entries = try context.fetch(FetchDescriptor<HabitEntry>(sortBy: [SortDescriptor(\.day)]))
        expectEqual(entries.map(\.mood), [nil, nil, nil, .bad])
        try expectEqual(context.fetchCount(FetchDescriptor<HabitEntry>(predicate: #Predicate { $0.mood == nil })), 3)
    }

    @Test func sumOfEntriesIsCompared() throws {
        let context = try store.relaunched(after: fill)
        let busy = #Predicate<Habit> { habit in
            habit.entries.filter { ($0.amount ?? 0) >= 2 }.count == 3
        }
        try expectEqual(context.one(Habit.self, where: busy).name, "Water")
    }

    @Test func groupTakesHabitsAndEntries() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(HabitGroup.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Habit.self), 0)
        try expectEqual(after.count(HabitEntry.self), 0)
    }
}
