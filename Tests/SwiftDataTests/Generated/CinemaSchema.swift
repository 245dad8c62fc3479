import Foundation
import SwiftData

/// A frozen version of the schema: don't change it, add a new one.
enum CinemaSchema: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 1, 0)
    static var models: [any PersistentModel.Type] {
        [
            Cinema.self,
            Date.self,
            Documentary.self,
            Film.self,
            Hall.self,
        ]
    }

    @Model final class Cinema {
        #Unique<Cinema>([\.name, \.opened])
        #Index<Cinema>([\.name])

        @Attribute(originalName: "kind") var `class`: String?
        @Attribute(.unique) var code: UUID
        @Relationship(inverse: \Film.cinemas) var films: [Film]?
        var grade: Cinema.Grade?
        @Relationship(deleteRule: .cascade, inverse: \Hall.cinema) var halls: [Hall]?
        var isOpen: Bool = true
        var name: String = "A \"big\" one"
        var opened: Foundation.Date
        var place: Cinema.Place?
        @Attribute(.externalStorage) var poster: Data?
        var price: Decimal? = Decimal(string: "9.5")!
        var rank: Int16 = 1
        var rate: Double
        var seats: Int32 = 100
        var share: Float?
        var site: URL?
        var tags: [String]?
        var total: Int

        init(code: UUID, opened: Foundation.Date, rate: Double, total: Int) {
            self.code = code
            self.opened = opened
            self.rate = rate
            self.total = total
        }

        enum Grade: RawRepresentable, Codable, Hashable {
            case value(Int)

            init?(rawValue: Int) { self = .value(rawValue) }

            var rawValue: Int {
                switch self {
                case .value(let rawValue): rawValue
                }
            }
        }

        struct Place: Codable, Hashable {
            var city: String?
            var point: Point?

            struct Point: Codable, Hashable {
                var latitude: Double?
                var longitude: Double?
            }
        }
    }

    @Model final class Date {
        var day: Foundation.Date

        init(day: Foundation.Date) {
            self.day = day
        }
    }

    @Model final class Documentary: Film {
        var subject: String

        init(title: String, subject: String) {
            self.subject = subject
            super.init(title: title)
        }
    }

    @Model class Film {
        var cinemas: [Cinema]?
        @Attribute(hashModifier: "second") var title: String

        init(title: String) {
            self.title = title
        }
    }

    @Model final class Hall {
        @Relationship(minimumModelCount: 1) var cinema: Cinema
        @Relationship(inverse: \Hall.previous) var next: Hall?
        var number: Int
        var previous: Hall?

        init(cinema: Cinema, number: Int) {
            self.cinema = cinema
            self.number = number
        }
    }
}
