import Foundation
import SwiftData

struct RoutePoint: Codable, Hashable {
    var latitude: Double
    var longitude: Double
    var altitude: Float?
}

struct HeartRateZone: Codable, Equatable {
    var name: String
    var range: ClosedRange<Int>
}

enum MuscleGroup: String, Codable {
    case legs
    case back
    case chest
}

@Model
final class Athlete {
    var name: String
    var birthday: Date?
    var restingHeartRate: Int = 60
    var zones: [HeartRateZone] = []
    @Relationship(deleteRule: .cascade, inverse: \Workout.athlete) var workouts: [Workout] = []
    @Relationship(deleteRule: .cascade, inverse: \BodyMeasurement.athlete) var measurements: [BodyMeasurement] = []

    init(name: String, birthday: Date? = nil) {
        self.name = name
        self.birthday = birthday
    }
}

@Model
class Workout {
    var startedAt: Date
    var duration: TimeInterval
    var notes: String = ""
    var athlete: Athlete?

    init(startedAt: Date, duration: TimeInterval, athlete: Athlete? = nil) {
        self.startedAt = startedAt
        self.duration = duration
        self.athlete = athlete
    }

    var endedAt: Date { startedAt.addingTimeInterval(duration) }
    var summary: String { "Workout" }
}

@available(iOS 26, macOS 26, *)
@Model
final class RunningWorkout: Workout {
    var distance: Double
    var route: [RoutePoint] = []
    var heartRates: [Double] = []

    init(startedAt: Date, duration: TimeInterval, distance: Double, athlete: Athlete? = nil) {
        self.distance = distance
        super.init(startedAt: startedAt, duration: duration, athlete: athlete)
    }

    /// Seconds per kilometer.
    var pace: Double { distance > 0 ? duration / (distance / 1_000) : 0 }
    override var summary: String { "Run of \(Int(distance)) m" }
}

@available(iOS 26, macOS 26, *)
@Model
final class StrengthWorkout: Workout {
    var muscleGroups: [MuscleGroup]
    @Relationship(deleteRule: .cascade, inverse: \ExerciseSet.workout) var sets: [ExerciseSet] = []

    init(startedAt: Date, duration: TimeInterval, muscleGroups: [MuscleGroup], athlete: Athlete? = nil) {
        self.muscleGroups = muscleGroups
        super.init(startedAt: startedAt, duration: duration, athlete: athlete)
    }

    override var summary: String { "\(sets.count) sets" }
}

@Model
final class ExerciseSet {
    var exercise: String
    var repetitions: Int
    var weight: Float?
    var workout: StrengthWorkout?

    init(_ exercise: String, repetitions: Int, weight: Float? = nil) {
        self.exercise = exercise
        self.repetitions = repetitions
        self.weight = weight
    }
}

@Model
final class BodyMeasurement {
    var date: Date
    var weight: Double
    var bodyFat: Double?
    var athlete: Athlete

    init(date: Date, weight: Double, bodyFat: Double? = nil, athlete: Athlete) {
        self.date = date
        self.weight = weight
        self.bodyFat = bodyFat
        self.athlete = athlete
    }
}
