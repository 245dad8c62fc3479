import Foundation
import SwiftData
import Testing

@Suite struct PhotoLibraryTests {
    let store: AppStore

    init() throws { store = try AppStore(Photo.self, PhotoAlbum.self, Person.self, Place.self) }

    private func fill(_ context: ModelContext) {
        let travel = PhotoAlbum(title: "Travel")
        let alps = PhotoAlbum(title: "Alps", parent: travel)
        let photos = (1...4).map { Photo(assetIdentifier: "p\($0)", takenAt: day($0)) }
        photos[0].camera = CameraSettings(
            make: "Acme", aperture: 2.8, exposure: .init(numerator: 1, denominator: 250), lenses: ["35", "50"])
        photos[0].thumbnail = Data(repeating: 1, count: 150_000)
        photos[1].height = 6_000
        photos[1].kind = .livePhoto
        photos[1].rating = 5
        photos[2].isHidden = true
        let eva = Person(name: "Eva")
        eva.faceprints = [[0.5, -1], [2]]
        eva.photos = [photos[0], photos[1]]
        Place(name: "Hut", latitude: 46.5, longitude: 7.9).photos.append(photos[1])
        alps.photos = Array(photos[0...1])
        travel.photos = [photos[0], photos[3]]
        travel.cover = photos[2]
        context.insert(alps)
    }

    @Test func albumsShareAPhoto() throws {
        let context = try store.relaunched(after: fill)
        let first = try context.one(Photo.self, where: #Predicate { $0.assetIdentifier == "p1" })
        expectEqual(first.albums.map(\.title).sorted(), ["Alps", "Travel"])
        let travel = try context.one(PhotoAlbum.self, where: #Predicate { $0.parent == nil })
        expectEqual(travel.allPhotos.count, 4)
    }

    @Test func coverHasNoInverse() throws {
        let context = try store.relaunched(after: fill)
        let travel = try context.one(PhotoAlbum.self, where: #Predicate { $0.cover != nil })
        expectEqual(travel.cover?.assetIdentifier, "p3")
        expectEqual(travel.cover?.albums.isEmpty, true)
    }

    @Test func coverIsTakenAwayBeforeItsPhoto() throws {
        let context = try store.relaunched(after: fill)
        let hidden = try context.one(Photo.self, where: #Predicate { $0.isHidden })
        // Without an inverse, a delete rule can't find the albums of the photo.
        for album in try context.all(PhotoAlbum.self) where album.cover === hidden { album.cover = nil }
        context.delete(hidden)
        try context.save()
        let after = try store.launch()
        let travel = try after.one(PhotoAlbum.self, where: #Predicate { $0.title == "Travel" })
        expectEqual(travel.cover, nil)
    }

    @Test func settingsOfTheCameraAreRead() throws {
        let context = try store.relaunched(after: fill)
        let first = try context.one(Photo.self, where: #Predicate { $0.assetIdentifier == "p1" })
        expectEqual(first.camera?.exposure, .init(numerator: 1, denominator: 250))
        expectEqual(first.camera?.lenses, ["35", "50"])
        expectEqual(first.thumbnail?.count, 150_000)
    }

    @Test func arraysOfArraysAreRead() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Person.self).faceprints, [[0.5, -1], [2]])
    }

    @Test func rawValueWithAnOwnTextIsRead() throws {
        let context = try store.relaunched(after: fill)
        let kind = MediaKind.livePhoto
        let live = try context.one(Photo.self, where: #Predicate { $0.kind == kind })
        expectTrue(live.isPortrait)
        expectEqual(live.rating, 5)
    }

    @Test func photosOfAPersonAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Photo.with("Eva"))), 2)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Photo.with("Tom"))), 0)
    }

    @Test func photosOfAnIntervalAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetch(Photo.taken(in: day(2)...day(4))).map(\.assetIdentifier), ["p2", "p4"])
    }

    @Test func deletedAlbumLeavesPhotosAndTakesAlbums() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(PhotoAlbum.self, where: #Predicate { $0.title == "Travel" }))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(PhotoAlbum.self), 0)
        try expectEqual(after.count(Photo.self), 4)
    }

    @Test func selectionIsNoReasonToSave() throws {
        let context = try store.relaunched(after: fill)
        let photo = try context.one(Photo.self, where: #Predicate { $0.isHidden })
        photo.isSelected = true
        expectTrue(photo.isSelected)
        try context.save()
        let after = try store.launch()
        #expect(try after.fetch(FetchDescriptor<Photo>()).allSatisfy { !$0.isSelected })
    }

    @Test func identifiersAreFetched() throws {
        let context = try store.relaunched(after: fill)
        let identifiers = try context.fetchIdentifiers(
            FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.takenAt, order: .reverse)]))
        expectEqual(identifiers.count, 4)
        let last = try requireValue(context.model(for: identifiers[0]) as? Photo)
        expectEqual(last.assetIdentifier, "p4")
        let registered: Photo? = context.registeredModel(for: identifiers[0])
        #expect(registered === last)
    }
}
