import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct FitnessLogTests {
    let store: AppStore

    init() throws {
        store = try AppStore(
            Athlete.self, Workout.self, RunningWorkout.self, StrengthWorkout.self, ExerciseSet.self,
            BodyMeasurement.self)
    }

    private func fill(_ context: ModelContext) {
        let mia = Athlete(name: "Mia", birthday: day(-9_000))
        mia.zones = [HeartRateZone(name: "easy", range: 100...130), HeartRateZone(name: "hard", range: 160...180)]
        let run = RunningWorkout(startedAt: day(1), duration: 1_500, distance: 5_000, athlete: mia)
        run.route = [
            RoutePoint(latitude: 50.1, longitude: 8.6, altitude: 112), RoutePoint(latitude: 50.2, longitude: 8.7),
        ]
        run.heartRates = [98, 141.5, 163]
        let strength = StrengthWorkout(startedAt: day(2), duration: 2_400, muscleGroups: [.legs, .back], athlete: mia)
        strength.sets = [ExerciseSet("Squat", repetitions: 8, weight: 62.5), ExerciseSet("Pull-up", repetitions: 6)]
        context.insert(run)
        context.insert(strength)
        context.insert(Workout(startedAt: day(3), duration: 600, athlete: mia))
        context.insert(BodyMeasurement(date: day(1), weight: 61.2, athlete: mia))
    }

    @Test func fetchOfTheBaseClassGivesSubclasses() throws {
        let context = try store.relaunched(after: fill)
        let workouts = try context.fetch(FetchDescriptor<Workout>(sortBy: [SortDescriptor(\.startedAt)]))
        expectEqual(workouts.map(\.summary), ["Run of 5000 m", "2 sets", "Workout"])
    }

    @Test func relationshipToTheBaseClassHoldsSubclasses() throws {
        let context = try store.relaunched(after: fill)
        let workouts = try context.one(Athlete.self).workouts
        expectEqual(workouts.count { $0 is RunningWorkout }, 1)
        expectEqual(workouts.count { $0 is StrengthWorkout }, 1)
    }

    @Test func fetchOfASubclassGivesOnlyIt() throws {
        let context = try store.relaunched(after: fill)
        let run = try context.one(RunningWorkout.self)
        expectEqual(run.pace, 300)
        expectEqual(run.endedAt, day(1).addingTimeInterval(1_500))
    }

    @Test func arraysOfValuesAreRead() throws {
        let context = try store.relaunched(after: fill)
        let run = try context.one(RunningWorkout.self)
        expectEqual(run.heartRates, [98, 141.5, 163])
        expectEqual(run.route.map(\.altitude), [112, nil])
        try expectEqual(context.one(StrengthWorkout.self).muscleGroups, [.legs, .back])
    }

    @Test func arrayOfStructuresWithRangesIsRead() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Athlete.self).zones.map(\.range), [100...130, 160...180])
    }

    @Test func predicateAsksForTheSubclass() throws {
        let context = try store.relaunched(after: fill)
        let runs = #Predicate<Workout> { $0 is RunningWorkout }
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: runs)), 1)
    }

    @Test func predicateAsksForPropertiesOfTheSubclass() throws {
        let context = try store.relaunched(after: fill)
        let long = #Predicate<Workout> { workout in
            if let run = workout as? RunningWorkout {
                run.distance > 4_000
            } else {
                false
            }
        }
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: long)), 1)
    }

    @Test func arrayOfARunGrows() throws {
        let context = try store.relaunched(after: fill)
        try context.one(RunningWorkout.self).heartRates.append(170)
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(RunningWorkout.self).heartRates.last, 170)
    }

    @Test func athleteTakesAllWorkouts() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Athlete.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Workout.self), 0)
        try expectEqual(after.count(ExerciseSet.self), 0)
        try expectEqual(after.count(BodyMeasurement.self), 0)
    }

    @Test func deleteOfTheBaseClassLeavesSubclassesIfAsked() throws {
        let context = try store.relaunched(after: fill)
        try context.delete(model: Workout.self, includeSubclasses: false)
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Workout.self), 2)
    }

    @Test func coreDataSeesSubentities() throws {
        _ = try store.relaunched(after: fill)
        let context = try store.managedContext()
        let names = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Workout")
            return try context.fetch(request).map { $0.entity.name ?? "" }.sorted()
        }
        expectEqual(names, ["RunningWorkout", "StrengthWorkout", "Workout"])
    }
}
