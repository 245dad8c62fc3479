import CoreData
import Testing

@Suite("External data that another coordinator replaces")
struct ReplacedFileTests {
    private let stores: PhotoStores

    init() throws { stores = try PhotoStores() }

    private func replaceImage(_ byte: UInt8) throws {
        let other = try stores.open("Music.sqlite")
        try on(other) {
            try other.one("Photo", "1").setValue(PhotoStores.image(byte), forKey: "image")
            try other.save()
        }
    }

    @Test("in a pinned generation the value that is gone is an error, never nil, and what follows is the newest value")
    func pinned() throws {
        try stores.save([1], in: "Music.sqlite")
        let context = try stores.open("Music.sqlite")
        try on(context) {
            try context.setQueryGenerationFrom(.current)
            try expectEqual(context.names("Photo"), ["1"])
            context.refreshAllObjects()
        }
        try replaceImage(2)
        try on(context) {
            let error = try requireValue(thrownError { _ = try context.all("Photo") })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, CocoaError.Code.fileReadNoSuchFile.rawValue, "\(error)")
            #expect(error.userInfo[NSFilePathErrorKey] as? String == stores.folder.path("Music.sqlite"))
            try context.setQueryGenerationFrom(.current)
            try #expect(context.one("Photo", "1").value(forKey: "image") as? Data == PhotoStores.image(2))
        }
    }

    @Test("in a pinned generation a file that is lost for good reads as nil")
    func lost() throws {
        try stores.save([1, 2], in: "Music.sqlite")
        let context = try stores.open("Music.sqlite")
        try on(context) { try context.setQueryGenerationFrom(.current) }
        let name = try requireValue(stores.files("Music").first)
        try FileManager.default.removeItem(at: stores.folder.file(".Music_SUPPORT/_EXTERNAL_DATA/\(name)"))
        try expectEqual(PhotoStores.images(context).compactMap { $0 }.count, 1)
    }

    @Test("an overwriting save after a replacement keeps the newest value")
    func overwriting() throws {
        try stores.save([1], in: "Music.sqlite")
        let context = try stores.open("Music.sqlite")
        context.mergePolicy = NSMergePolicy.overwrite
        try on(context) {
            let photo = try context.one("Photo", "1")
            try replaceImage(2)
            photo.setValue("renamed", forKey: "name")
            try context.save()
        }
        let images = try stores.images(of: "Music.sqlite")
        #expect(images == [1] || images == [2])
    }
}
