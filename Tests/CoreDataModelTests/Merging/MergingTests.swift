import Testing

@testable import CoreDataModel

@Suite("Merging models")
struct MergingTests {
    /// A model with one complete entity and one placeholder.
    static func half(whole: String, placeholder: String) -> NSManagedObjectModel {
        func relationship(_ name: String, toMany: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.maxCount = toMany ? 0 : 1
            relationship.deleteRule = toMany ? .cascadeDeleteRule : .nullifyDeleteRule
            return relationship
        }
        let song = CarModel.entity("Song")
        let artist = CarModel.entity("Artist")
        let model = NSManagedObjectModel()
        model.entities = [song, artist]
        let toArtist = relationship("artist", toMany: false)
        let toSongs = relationship("songs", toMany: true)
        song.properties =
            (whole == "Song" ? [CarModel.attribute("title", .string), CarModel.attribute("duration", .float)] : []) + [
                toArtist
            ]
        artist.properties = (whole == "Artist" ? [CarModel.attribute("name", .string)] : []) + [toSongs]
        toArtist.destinationEntity = artist
        toSongs.destinationEntity = song
        toArtist.inverseRelationship = toSongs
        toSongs.inverseRelationship = toArtist
        model.entitiesByName[placeholder]?.userInfo = ["IsPlaceholder": "YES"]
        return model
    }

    @Test("Entities that are copied into a new model are connected to each other")
    func byHand() throws {
        let halves = [Self.half(whole: "Song", placeholder: "Artist"), Self.half(whole: "Artist", placeholder: "Song")]
        let merged = NSManagedObjectModel()
        merged.entities = halves.flatMap(\.entities).filter { $0.userInfo?["IsPlaceholder"] as? String != "YES" }
            .compactMap { $0.copy() as? NSEntityDescription }
        let song = try requireValue(merged.entitiesByName["Song"])
        let artist = try requireValue(merged.entitiesByName["Artist"])
        expectEqual(song.attributesByName.keys.sorted(), ["duration", "title"])
        #expect(song.relationshipsByName["artist"]?.destinationEntity === artist)
        #expect(song.relationshipsByName["artist"]?.inverseRelationship === artist.relationshipsByName["songs"])
        merged.freeze()
        #expect(artist.relationshipsByName["songs"]?.destinationEntity === song)
    }

    @Test("Two different entities of one name can't be merged")
    func refused() {
        let halves = [Self.half(whole: "Song", placeholder: "Artist"), Self.half(whole: "Artist", placeholder: "Song")]
        expectEqual(NSManagedObjectModel(byMerging: halves), nil)
        let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel.merging(halves) }
        expectEqual(
            error?.localizedDescription.hasPrefix("Can't merge models with two different entities named 'Song'"), true
        )
        expectEqual(error?.localizedDescription.contains("One is a placeholder"), true)
    }

    @Test("Equal entities are merged into one; configurations, templates and identifiers are combined")
    func union() throws {
        let first = CarModel.make()
        let second = CarModel.make()
        let extra = CarModel.entity("Garage")
        second.entities += [extra]
        first.versionIdentifiers = ["1"]
        second.versionIdentifiers = ["2"]
        first.setEntities([first.entities[0]], forConfigurationName: "C")
        second.setEntities([extra], forConfigurationName: "C")
        second.setFetchRequestTemplate(NSFetchRequest<any NSFetchRequestResult>(entityName: "Garage"), forName: "All")
        let merged = try requireValue(NSManagedObjectModel(byMerging: [first, second]))
        expectEqual(merged.entities.count, 5)
        expectEqual(merged.versionIdentifiers, ["1", "2"])
        expectEqual(Set(merged.entities(forConfigurationName: "C")?.map(\.name) ?? []), ["Car", "Garage"])
        #expect(merged.fetchRequestTemplate(forName: "All")?.entity === merged.entitiesByName["Garage"])
        #expect(merged.entitiesByName["ExpensiveSportCar"]?.superentity === merged.entitiesByName["SportCar"])
        expectEqual(NSManagedObjectModel(byMerging: nil), nil)
    }

    @Test("Each configuration keeps exactly its members; an empty one exists too")
    func configurations() throws {
        let first = CarModel.make()
        let second = NSManagedObjectModel()
        second.entities = [CarModel.entity("Rating")]
        second.setEntities(second.entities, forConfigurationName: "UserConf")
        first.setEntities([], forConfigurationName: "Empty")
        first.setEntities([try requireValue(first.entitiesByName["SportCar"])], forConfigurationName: "CarConf")
        let merged = try NSManagedObjectModel.merging([first, second])
        expectEqual(merged.configurations, ["CarConf", "Empty", "UserConf"])
        expectEqual(merged.entities(forConfigurationName: "CarConf")?.map(\.name), ["SportCar"])
        #expect(merged.entities(forConfigurationName: "UserConf")?.first === merged.entitiesByName["Rating"])
        expectEqual(merged.entities(forConfigurationName: "Empty")?.isEmpty, true)
    }

    @Test("Localization dictionaries are combined; the first text of a key counts")
    func localization() throws {
        let first = CarModel.make()
        let second = CarModel.make()
        first.localizationDictionary = ["Entity/Car": "Wagen"]
        second.localizationDictionary = ["Entity/Car": "Auto", "Entity/Person": "Mensch"]
        let merged = try NSManagedObjectModel.merging([first, second])
        expectEqual(merged.localizationDictionary, ["Entity/Car": "Wagen", "Entity/Person": "Mensch"])
    }

    @Test("The model of a store is merged from the versions with its hashes")
    func forStore() throws {
        let old = CarModel.make()
        let new = CarModel.make()
        new.entitiesByName["Person"]?.properties += [CarModel.attribute("email", .string)]
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
        let found = try requireValue(NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata))
        expectEqual(found.entityVersionHashesByName, old.entityVersionHashesByName)
        expectEqual(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata), nil)
        var mixed = old.entityVersionHashesByName
        mixed["Person"] = new.entitiesByName["Person"]?.versionHash
        let both = try requireValue(
            NSManagedObjectModel(byMerging: [old, new], forStoreMetadata: ["NSStoreModelVersionHashes": mixed]))
        #expect(both.entitiesByName["Person"]?.attributesByName["email"] != nil)
    }
}
