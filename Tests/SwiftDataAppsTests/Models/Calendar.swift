import Foundation
import SwiftData

/// The models of the calendar stand in a namespace.
enum CalendarModels {
    @Model
    final class Event {
        var title: String
        var start: Date
        var end: Date
        var timeZone: TimeZone = TimeZone(identifier: "UTC")!
        var isAllDay: Bool = false
        var alarmOffsets: [TimeInterval] = [-900]
        var venue: Venue?
        @Relationship(deleteRule: .cascade, inverse: \Attendee.event) var attendees: [Attendee] = []

        init(title: String, start: Date, end: Date? = nil, venue: Venue? = nil) {
            self.title = title
            self.start = start
            self.end = end ?? start.addingTimeInterval(3_600)
            self.venue = venue
        }

        var duration: TimeInterval {
            get { end.timeIntervalSince(start) }
            set { end = start.addingTimeInterval(newValue) }
        }
    }

    @Model
    final class Venue {
        var name: String
        var capacity: UInt = 10
        var rooms: [Room] = []
        @Relationship(deleteRule: .nullify, inverse: \Event.venue) var events: [Event] = []

        init(name: String, rooms: [Room] = []) {
            self.name = name
            self.rooms = rooms
        }

        struct Room: Codable, Hashable, Identifiable {
            var id: String
            var floor: Int
            var equipment: Set<String> = []
        }
    }

    @Model
    final class Attendee {
        enum Response: Codable, Hashable {
            case none
            case accepted
            case declined(reason: String?)
            case delegated(to: Contact)
        }

        struct Contact: Codable, Hashable {
            var name: String
            var email: String?
        }

        var contact: Contact
        var response: Response = Response.none
        var event: Event?

        init(_ name: String, email: String? = nil) {
            self.contact = Contact(name: name, email: email)
        }
    }
}

typealias CalendarEvent = CalendarModels.Event
