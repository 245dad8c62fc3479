import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct CalendarTests {
    let store: AppStore

    init() throws {
        store = try AppStore(CalendarModels.Event.self, CalendarModels.Venue.self, CalendarModels.Attendee.self)
    }

    private func fill(_ context: ModelContext) {
        let hall = CalendarModels.Venue(
            name: "Hall",
            rooms: [.init(id: "R1", floor: 0, equipment: ["screen", "desk"]), .init(id: "R2", floor: -1)])
        let event = CalendarEvent(title: "Review", start: day(1), venue: hall)
        event.timeZone = TimeZone(identifier: "Europe/Berlin")!
        event.duration = 5_400
        let people = ["Ann", "Bob", "Cid"].map { CalendarModels.Attendee($0, email: "\($0)@example.org") }
        people[1].response = .declined(reason: "ill")
        people[2].response = .delegated(to: .init(name: "Dee"))
        event.attendees = people
        context.insert(hall)
    }

    @Test func namespaceGivesNoNameToTheEntity() throws {
        expectEqual(store.schema.entities.map(\.name).sorted(), ["Attendee", "Event", "Venue"])
        let context = try store.relaunched(after: fill)
        try expectEqual(context.count(CalendarEvent.self), 1)
    }

    @Test func payloadsWithStructuresAreRead() throws {
        let context = try store.relaunched(after: fill)
        let people = try context.fetch(FetchDescriptor<CalendarModels.Attendee>()).sorted {
            $0.contact.name < $1.contact.name
        }
        expectEqual(people.map(\.response), [.none, .declined(reason: "ill"), .delegated(to: .init(name: "Dee"))])
        expectEqual(people.map(\.contact.email), ["Ann@example.org", "Bob@example.org", "Cid@example.org"])
    }

    @Test func arrayOfStructuresIsRead() throws {
        let context = try store.relaunched(after: fill)
        let rooms = try context.one(CalendarModels.Venue.self).rooms
        expectEqual(rooms.map(\.id), ["R1", "R2"])
        expectEqual(rooms[0].equipment, ["screen", "desk"])
    }

    @Test func computedPropertySetsAStoredOne() throws {
        let context = try store.relaunched(after: fill)
        let event = try context.one(CalendarEvent.self)
        expectEqual(event.end, day(1).addingTimeInterval(5_400))
        expectEqual(event.timeZone.identifier, "Europe/Berlin")
        expectEqual(event.alarmOffsets, [-900])
    }

    @Test func unsignedCapacityIsRead() throws {
        let context = try store.relaunched { context in
            fill(context)
            try context.one(CalendarModels.Venue.self).capacity = 250
        }
        try expectEqual(context.one(CalendarModels.Venue.self).capacity, 250)
    }

    @Test func venueLeavesEvents() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(CalendarModels.Venue.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(CalendarEvent.self).venue, nil)
    }

    @Test func coreDataReadsAndDeletes() throws {
        _ = try store.relaunched(after: fill)
        let context = try store.managedContext()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
            let event = try requireValue(context.fetch(request).first)
            expectEqual((event.value(forKey: "attendees") as? Set<NSManagedObject>)?.count, 3)
            context.delete(event)
            try context.save()
        }
        let after = try store.launch()
        try expectEqual(after.count(CalendarModels.Attendee.self), 0)
        expectEmpty(try after.one(CalendarModels.Venue.self).events)
    }
}
