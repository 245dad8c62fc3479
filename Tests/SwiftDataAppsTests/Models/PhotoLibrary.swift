import Foundation
import SwiftData

struct CameraSettings: Codable, Hashable {
    var make: String?
    var aperture: Double
    var exposure: Exposure
    var lenses: [String]

    struct Exposure: Codable, Hashable {
        var numerator: Int
        var denominator: Int
    }
}

enum MediaKind: String, Codable {
    case photo
    case video
    case livePhoto = "live-photo"
}

@Model
final class Photo {
    #Index<Photo>([\.takenAt], [\.kind])

    @Attribute(.unique) var assetIdentifier: String
    var kind: MediaKind = MediaKind.photo
    var takenAt: Date
    var width: Int32
    var height: Int32
    var camera: CameraSettings?
    @Attribute(.externalStorage) var thumbnail: Data?
    var checksum: Data = Data()
    var isHidden: Bool = false
    var rating: Int16?
    /// Whether the app shows the photo as selected.
    @Attribute(.ephemeral) var isSelected: Bool = false
    @Transient var loadedImage: NSObject?

    var albums: [PhotoAlbum] = []
    var people: [Person] = []
    var place: Place?

    init(assetIdentifier: String, takenAt: Date, width: Int32 = 4_000, height: Int32 = 3_000) {
        self.assetIdentifier = assetIdentifier
        self.takenAt = takenAt
        self.width = width
        self.height = height
    }

    var isPortrait: Bool { height > width }
}

@Model
final class PhotoAlbum {
    var title: String
    var createdAt: Date = Date.now
    @Relationship(inverse: \Photo.albums) var photos: [Photo] = []
    /// A second relationship to photos, without an inverse.
    @Relationship(deleteRule: .nullify) var cover: Photo?
    var parent: PhotoAlbum?
    @Relationship(deleteRule: .cascade, inverse: \PhotoAlbum.parent) var albums: [PhotoAlbum] = []

    init(title: String, parent: PhotoAlbum? = nil) {
        self.title = title
        self.parent = parent
    }

    var allPhotos: [Photo] { photos + albums.flatMap(\.allPhotos) }
}

@Model
final class Person {
    var name: String
    @Relationship(inverse: \Photo.people) var photos: [Photo] = []
    var faceprints: [[Float]] = []

    init(name: String) { self.name = name }
}

@Model
final class Place {
    var name: String
    var latitude: Double
    var longitude: Double
    @Relationship(deleteRule: .nullify, inverse: \Photo.place) var photos: [Photo] = []

    init(name: String, latitude: Double, longitude: Double) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Photo {
    static func with(_ name: String) -> Predicate<Photo> {
        #Predicate<Photo> { photo in
            photo.people.contains { $0.name == name }
        }
    }

    static func taken(in interval: ClosedRange<Date>) -> FetchDescriptor<Photo> {
        let (first, last) = (interval.lowerBound, interval.upperBound)
        return FetchDescriptor(
            predicate: #Predicate<Photo> { $0.takenAt >= first && $0.takenAt <= last && !$0.isHidden },
            sortBy: [SortDescriptor(\.takenAt), SortDescriptor(\.assetIdentifier)])
    }
}
