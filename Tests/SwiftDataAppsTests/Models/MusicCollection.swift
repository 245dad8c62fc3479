import Foundation
import SwiftData

struct TrackNumber: Codable, Hashable, Comparable {
    var disc: Int
    var track: Int

    static func < (lhs: TrackNumber, rhs: TrackNumber) -> Bool { (lhs.disc, lhs.track) < (rhs.disc, rhs.track) }
}

@Model
final class Artist {
    @Attribute(.unique) var name: String
    var sortName: String
    @Relationship(deleteRule: .cascade, inverse: \Album.artist) var albums: [Album] = []
    /// Artists that this one plays with. Both sides are many.
    @Relationship(inverse: \Artist.collaboratorOf) var collaborators: [Artist] = []
    var collaboratorOf: [Artist] = []

    init(name: String, sortName: String? = nil) {
        self.name = name
        self.sortName = sortName ?? name
    }
}

@Model
final class Album {
    var title: String
    var releasedOn: Date?
    var genres: [String]
    var artist: Artist?
    @Relationship(deleteRule: .cascade, inverse: \Track.album) var tracks: [Track]

    init(title: String, releasedOn: Date? = nil, genres: [String] = [], artist: Artist? = nil, tracks: [Track] = []) {
        self.title = title
        self.releasedOn = releasedOn
        self.genres = genres
        self.artist = artist
        self.tracks = tracks
    }

    var duration: TimeInterval { tracks.map(\.duration).reduce(0, +) }
}

@Model
final class Track {
    var title: String
    var number: TrackNumber
    var duration: TimeInterval
    var playCount: Int = 0
    var lastPlayed: Date?
    var rating: Int8?
    var album: Album?
    @Relationship(deleteRule: .cascade, inverse: \PlaylistEntry.track) var playlistEntries: [PlaylistEntry] = []

    init(title: String, disc: Int = 1, track: Int, duration: TimeInterval) {
        self.title = title
        self.number = TrackNumber(disc: disc, track: track)
        self.duration = duration
    }

    func played(at date: Date) {
        playCount += 1
        lastPlayed = date
    }
}

@Model
final class Playlist {
    var name: String
    var isSmart: Bool { rule != nil }
    var rule: String?
    @Relationship(deleteRule: .cascade, inverse: \PlaylistEntry.playlist) var entries: [PlaylistEntry] = []

    init(name: String, rule: String? = nil) {
        self.name = name
        self.rule = rule
    }

    var tracks: [Track] { entries.sorted { $0.position < $1.position }.compactMap(\.track) }

    func append(_ track: Track) {
        entries.append(PlaylistEntry(position: (entries.map(\.position).max() ?? -1) + 1, track: track))
    }
}

@Model
final class PlaylistEntry {
    var position: Int
    var track: Track?
    var playlist: Playlist?

    init(position: Int, track: Track) {
        self.position = position
        self.track = track
    }
}

extension Track {
    static func top(_ count: Int) -> FetchDescriptor<Track> {
        var descriptor = FetchDescriptor<Track>(
            predicate: #Predicate { $0.playCount > 0 },
            sortBy: [SortDescriptor(\.playCount, order: .reverse), SortDescriptor(\.title)])
        descriptor.fetchLimit = count
        descriptor.propertiesToFetch = [\.title, \.playCount]
        return descriptor
    }

    static func by(_ artist: String) -> Predicate<Track> {
        #Predicate<Track> { track in
            track.album?.artist?.name == artist
        }
    }
}
