import Foundation
import SwiftData

@Model
final class Podcast {
    @Attribute(.unique) var feedURL: URL
    var title: String
    var author: String
    var categories: [String]
    var artworkURL: URL?
    @Attribute(.externalStorage) var artwork: Data?
    var subscribedAt: Date?
    var settings: PlaybackSettings = PlaybackSettings()
    @Relationship(deleteRule: .cascade, inverse: \Episode.podcast) var episodes: [Episode] = []

    /// The download that runs. It is not stored.
    @Transient var downloadProgress: Double? = nil
    @Transient private var cachedInitials: String = ""

    init(feedURL: URL, title: String, author: String = "", categories: [String] = []) {
        self.feedURL = feedURL
        self.title = title
        self.author = author
        self.categories = categories
    }

    var isSubscribed: Bool { subscribedAt != nil }

    var initials: String {
        if cachedInitials.isEmpty {
            cachedInitials = title.split(separator: " ").compactMap(\.first).map(String.init).joined()
        }
        return cachedInitials
    }
}

struct PlaybackSettings: Codable, Hashable {
    var speed: Double = 1
    var skipsIntro = false
    var introSeconds: Int?
}

@Model
final class Episode {
    #Unique<Episode>([\.guid])
    #Index<Episode>([\.publishedAt], [\.podcast, \.publishedAt])

    var guid: String
    var title: String
    var publishedAt: Date
    var duration: TimeInterval?
    var audioURL: URL?
    var showNotes: String = ""
    var podcast: Podcast?
    @Relationship(deleteRule: .cascade, inverse: \PlaybackState.episode) var playback: PlaybackState?
    @Relationship(deleteRule: .cascade, inverse: \Chapter.episode) var chapters: [Chapter] = []
    @Relationship(deleteRule: .cascade, inverse: \QueueEntry.episode) var queueEntries: [QueueEntry] = []

    init(guid: String, title: String, publishedAt: Date, duration: TimeInterval? = nil, podcast: Podcast? = nil) {
        self.guid = guid
        self.title = title
        self.publishedAt = publishedAt
        self.duration = duration
        self.podcast = podcast
    }

    var isPlayed: Bool { playback?.isFinished ?? false }

    func play(to position: TimeInterval, at date: Date) {
        if let playback {
            playback.position = position
            playback.lastPlayedAt = date
        } else {
            playback = PlaybackState(position: position, lastPlayedAt: date)
        }
    }
}

@Model
final class PlaybackState {
    var position: TimeInterval
    var isFinished: Bool = false
    var lastPlayedAt: Date
    var episode: Episode?

    init(position: TimeInterval = 0, lastPlayedAt: Date) {
        self.position = position
        self.lastPlayedAt = lastPlayedAt
    }
}

@Model
final class Chapter {
    var title: String
    var start: Double
    var link: URL?
    var episode: Episode?

    init(title: String, start: Double, link: URL? = nil) {
        self.title = title
        self.start = start
        self.link = link
    }
}

@Model
final class QueueEntry {
    var position: Int
    var addedAt: Date
    var episode: Episode

    init(position: Int, addedAt: Date, episode: Episode) {
        self.position = position
        self.addedAt = addedAt
        self.episode = episode
    }
}

/// The content of a feed, as it comes from the network.
struct FeedItem: Sendable {
    var guid: String
    var title: String
    var publishedAt: Date
}

@ModelActor
actor FeedImporter {
    func merge(_ items: [FeedItem], into feed: URL) throws -> Int {
        let known = try modelContext.fetch(FetchDescriptor<Podcast>(predicate: #Predicate { $0.feedURL == feed }))
        guard let podcast = known.first else { return 0 }
        for item in items {
            modelContext.insert(
                Episode(guid: item.guid, title: item.title, publishedAt: item.publishedAt, podcast: podcast))
        }
        try modelContext.save()
        return podcast.episodes.count
    }
}

extension Episode {
    static var unplayed: FetchDescriptor<Episode> {
        FetchDescriptor(
            predicate: #Predicate { $0.playback?.isFinished != true },
            sortBy: [SortDescriptor(\.publishedAt, order: .reverse)])
    }

    static func inProgress(limit: Int) -> FetchDescriptor<Episode> {
        var descriptor = FetchDescriptor<Episode>(
            predicate: #Predicate { episode in
                if let playback = episode.playback {
                    playback.position > 0 && !playback.isFinished
                } else {
                    false
                }
            },
            sortBy: [SortDescriptor(\.title)])
        descriptor.fetchLimit = limit
        return descriptor
    }
}
