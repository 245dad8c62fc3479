import Foundation
import SwiftData
import Testing

@Suite struct MusicCollectionTests {
    let store: AppStore

    init() throws {
        store = try AppStore(Artist.self, Album.self, Track.self, Playlist.self, PlaylistEntry.self)
    }

    private func fill(_ context: ModelContext) {
        let tracks = (1...4).map { Track(title: "Song \($0)", disc: $0 / 4 + 1, track: $0, duration: 100 + Double($0)) }
        let album = Album(title: "Blue", releasedOn: day(0), genres: ["Jazz"], tracks: tracks)
        let lena = Artist(name: "Lena")
        album.artist = lena
        lena.collaborators = [Artist(name: "The Otters", sortName: "Otters")]
        let playlist = Playlist(name: "Evening")
        for index in [2, 0, 3] { playlist.append(tracks[index]) }
        for (index, track) in tracks.enumerated() {
            for _ in 0..<index { track.played(at: day(index)) }
        }
        tracks[1].rating = -1
        context.insert(playlist)
    }

    @Test func playlistBringsTheCollection() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.count(Artist.self), 2)
        try expectEqual(context.count(Track.self), 4)
        try expectEqual(context.one(Album.self).duration, 410)
    }

    @Test func entriesKeepTheOrder() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Playlist.self).tracks.map(\.title), ["Song 3", "Song 1", "Song 4"])
    }

    @Test func manyToManyWithItselfHasTwoSides() throws {
        let context = try store.relaunched(after: fill)
        let lena = try context.one(Artist.self, where: #Predicate { $0.name == "Lena" })
        expectEqual(lena.collaborators.map(\.sortName), ["Otters"])
        #expect(lena.collaborators.first?.collaboratorOf.first === lena)
        expectEmpty(lena.collaboratorOf)
    }

    @Test func topTracksAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetch(Track.top(2)).map(\.title), ["Song 4", "Song 3"])
    }

    @Test func predicateOverTwoRelationships() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Track.by("Lena"))), 4)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Track.by("The Otters"))), 0)
    }

    @Test func structureIsReplaced() throws {
        let context = try store.relaunched(after: fill)
        let last = try requireValue(context.fetch(FetchDescriptor<Track>()).max { $0.number < $1.number })
        expectEqual(last.number, TrackNumber(disc: 2, track: 4))
        last.number.track = 1
        try context.save()
        let after = try store.launch()
        let again = try after.one(Track.self, where: #Predicate { $0.number.disc == 2 })
        expectEqual(again.number.track, 1)
    }

    @Test func deletedTrackLeavesThePlaylist() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Track.self, where: #Predicate { $0.title == "Song 1" }))
        try context.save()
        let after = try store.launch()
        let playlist = try after.one(Playlist.self)
        expectEqual(playlist.tracks.map(\.title), ["Song 3", "Song 4"])
        expectFalse(playlist.isSmart)
    }

    @Test func movedTrackChangesBothAlbums() throws {
        let context = try store.relaunched(after: fill)
        let second = Album(title: "Green")
        context.insert(second)
        let worst: Int8 = -1
        try context.one(Track.self, where: #Predicate { $0.rating == worst }).album = second
        let blue = try context.one(Album.self, where: #Predicate { $0.title == "Blue" })
        expectEqual(blue.tracks.count, 3)
        expectEqual(second.tracks.map(\.title), ["Song 2"])
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(Album.self, where: #Predicate { $0.title == "Green" }).tracks.count, 1)
    }

    @Test func resultsAreLoadedInBatches() throws {
        let context = try store.relaunched(after: fill)
        let tracks = try context.fetch(
            FetchDescriptor<Track>(sortBy: [SortDescriptor(\.title, order: .reverse)]), batchSize: 2)
        expectEqual(tracks.count, 4)
        expectEqual(tracks.map(\.playCount), [3, 2, 1, 0])
    }
}
