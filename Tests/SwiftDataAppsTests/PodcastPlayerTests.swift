import Foundation
import Observation
import SwiftData
import Testing

@Suite struct PodcastPlayerTests {
    let store: AppStore
    private let feed = URL(string: "https://example.org/feed?id=1&x=ä")!

    init() throws {
        store = try AppStore(
            Podcast.self, Episode.self, PlaybackState.self, Chapter.self, QueueEntry.self)
    }

    private func fill(_ context: ModelContext) {
        let podcast = Podcast(feedURL: feed, title: "Deep Space Talk", author: "Kim", categories: ["Science", "Space"])
        podcast.settings.speed = 1.5
        podcast.settings.introSeconds = 30
        podcast.downloadProgress = 0.5
        for number in 1...3 {
            let episode = Episode(
                guid: "e\(number)", title: "Episode \(number)", publishedAt: day(number), podcast: podcast)
            context.insert(episode)
            episode.chapters = [Chapter(title: "Intro", start: 0), Chapter(title: "Main", start: 60.5)]
            if number == 2 { episode.play(to: 300, at: day(4)) }
            if number == 3 {
                episode.play(to: 10, at: day(5))
                episode.playback?.isFinished = true
            }
            context.insert(QueueEntry(position: number, addedAt: day(6), episode: episode))
        }
    }

    @Test func urlWithQueryIsFound() throws {
        let context = try store.relaunched(after: fill)
        let address = feed
        let podcast = try context.one(Podcast.self, where: #Predicate { $0.feedURL == address })
        expectEqual(podcast.categories, ["Science", "Space"])
        expectEqual(podcast.settings, PlaybackSettings(speed: 1.5, skipsIntro: false, introSeconds: 30))
    }

    @Test func transientPropertiesAreNotSaved() throws {
        let context = try store.relaunched(after: fill)
        let podcast = try context.one(Podcast.self)
        expectEqual(podcast.downloadProgress, nil)
        expectEqual(podcast.initials, "DST")
        expectFalse(context.hasChanges)
    }

    @Test func unplayedEpisodesAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetch(Episode.unplayed).map(\.guid), ["e2", "e1"])
    }

    @Test func episodesInProgressAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetch(Episode.inProgress(limit: 5)).map(\.guid), ["e2"])
    }

    @Test func stateBelongsToOneEpisode() throws {
        let context = try store.relaunched(after: fill)
        let second = try context.one(Episode.self, where: #Predicate { $0.guid == "e2" })
        let old = try requireValue(second.playback)
        second.playback = PlaybackState(lastPlayedAt: day(9))
        try context.save()
        expectEqual(old.episode, nil)
        #expect(second.playback?.episode === second)
        let after = try store.launch()
        try expectEqual(after.count(PlaybackState.self), 3)
    }

    @Test func importerUpdatesByIdentifier() async throws {
        _ = try store.relaunched(after: fill)
        let container = try store.container()
        let importer = FeedImporter(modelContainer: container)
        let items = [
            FeedItem(guid: "e3", title: "Renamed", publishedAt: day(3)),
            FeedItem(guid: "e4", title: "New", publishedAt: day(4)),
        ]
        try await expectEqual(importer.merge(items, into: feed), 4)
        let third = try ModelContext(container).one(Episode.self, where: #Predicate { $0.guid == "e3" })
        expectEqual(third.title, "Renamed")
    }

    @Test func requiredRelationshipIsCascaded() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Podcast.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Episode.self), 0)
        try expectEqual(after.count(QueueEntry.self), 0)
        try expectEqual(after.count(Chapter.self), 0)
        try expectEqual(after.count(PlaybackState.self), 0)
    }

    @Test func observationSeesAChange() throws {
        let context = try store.relaunched(after: fill)
        let podcast = try context.one(Podcast.self)
        nonisolated(unsafe) var changes = 0
        withObservationTracking {
            _ = podcast.title
        } onChange: {
            changes += 1
        }
        podcast.author = "Lee"
        expectEqual(changes, 0)
        podcast.title = "Deep Space"
        expectEqual(changes, 1)
    }

    @Test func offsetAndLimitCutTheList() throws {
        let context = try store.relaunched(after: fill)
        var descriptor = FetchDescriptor<Episode>(sortBy: [SortDescriptor(\.publishedAt)])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 1
        try expectEqual(context.fetch(descriptor).map(\.guid), ["e2"])
    }

    @Test func sortByADateOfARelationship() throws {
        let context = try store.relaunched(after: fill)
        let descriptor = FetchDescriptor<QueueEntry>(
            sortBy: [SortDescriptor(\.episode.publishedAt, order: .reverse)])
        try expectEqual(context.fetch(descriptor).map(\.position), [3, 2, 1])
    }
}
