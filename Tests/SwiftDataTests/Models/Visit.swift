import SwiftData

@Model final class Visit {
    #Unique<Visit>([\.place, \.day])
    #Index<Visit>([\.day], [\.place, \.day])
    var place: String
    var day: Int

    init(place: String, day: Int) {
        self.place = place
        self.day = day
    }
}
