import CoreData
import Foundation

@objc(Book)
public class Book: NSManagedObject {
    @objc enum Genre: Int16, CaseIterable {
        case other, novel, science, history

        var name: String {
            switch self {
            case .other: return "Other"
            case .novel: return "Novel"
            case .science: return "Science"
            case .history: return "History"
            }
        }
    }

    /// The genre is stored as a number.
    var genre: Genre {
        get { Genre(rawValue: rawGenre) ?? .other }
        set { rawGenre = newValue.rawValue }
    }

    // A list shows books by these keys.
    @objc var sectionTitle: String { String(title.prefix(1)).uppercased() }
    @objc var genreName: String { genre.name }
    @objc dynamic var totalMinutes: Int {
        (sessions as? Set<ReadingSession> ?? []).reduce(0) { $0 + Int($1.minutes) }
    }

    /// How often `willSave()` ran for any book.
    static var saveCount = 0
}
