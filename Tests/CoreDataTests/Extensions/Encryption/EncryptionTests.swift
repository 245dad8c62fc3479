import CoreData
import Testing

#if SQLCipher
    @Suite("Encrypted stores")
    struct EncryptionTests {
        private static let marker = "A text that nobody may find"

        private static func makeModel() -> NSManagedObjectModel {
            let image = attribute("image", .binaryDataAttributeType)
            image.allowsExternalBinaryDataStorage = true
            return model([entity("Note", [attribute("text", .stringAttributeType), image])])
        }

        private static func open(_ url: URL, _ options: [String: Any]?) throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }

        /// Makes a store with one note.
        @discardableResult
        private static func make(_ url: URL, _ options: [String: Any]?, image: Data? = nil) throws
            -> NSManagedObjectContext
        {
            let context = try open(url, options)
            try context.performAndWait {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(marker, forKey: "text")
                note.setValue(image, forKey: "image")
                try context.save()
            }
            return context
        }

        private static func close(_ context: NSManagedObjectContext) throws {
            let coordinator = try requireValue(context.persistentStoreCoordinator)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }

        private static func texts(_ url: URL, _ options: [String: Any]?) throws -> [String] {
            let context = try open(url, options)
            defer { try? close(context) }
            return try context.performAndWait {
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
                    .map { $0.value(forKey: "text") as? String ?? "" }
            }
        }

        private static func error(_ body: () throws -> Void) throws -> NSError {
            do { try body() } catch { return error as NSError }
            throw TestFailure("No error was thrown.")
        }

        private static var key: [String: Any] { [NSSQLiteEncryptionKeyOption: "the right passphrase"] }

        @Test("no file of the store has its text, while the store is open and afterwards")
        func plainText() throws {
            let folder = try TemporaryFolder()
            let context = try Self.make(
                folder.file("store.sqlite"), Self.key.merging([NSPersistentHistoryTrackingKey: true]) { $1 })
            func check() throws {
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
                    let bytes = try Data(contentsOf: folder.file(name))
                    expectEqual(bytes.range(of: Data(Self.marker.utf8)), nil)
                    expectEqual(bytes.range(of: Data("CREATE TABLE".utf8)), nil)
                    #expect(!name.hasSuffix(".sqlite") || !bytes.starts(with: Data("SQLite format 3".utf8)))
                }
            }
            try check()
            try Self.close(context)
            try check()
            try expectEqual(
                Self.texts(
                    folder.file("store.sqlite"),
                    Self.key.merging(
                        [NSReadOnlyPersistentStoreOption: true]) { $1 }), [Self.marker])
        }

        @Test("a wrong key is an error that names the file, and not the key")
        func wrongKey() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("store.sqlite")
            try Self.close(Self.make(url, Self.key))
            let error = try Self.error { _ = try Self.open(url, [NSSQLiteEncryptionKeyOption: "swordfish"]) }
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreOpenError)
            expectEqual(error.localizedFailureReason?.contains("key"), true)
            #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
            #expect(!"\(error) \(error.userInfo)".contains("swordfish"))
            try expectEqual(Self.texts(url, Self.key), [Self.marker])
        }

        @Test("an encrypted store without a key, and a plain one with a key, say what they are")
        func otherKind() throws {
            let folder = try TemporaryFolder()
            try Self.close(Self.make(folder.file("secret.sqlite"), Self.key))
            let missing = try Self.error { _ = try Self.open(folder.file("secret.sqlite"), nil) }
            expectEqual(missing.code, CocoaError.Code.fileReadCorruptFile.rawValue)
            expectEqual(missing.localizedFailureReason?.contains("NSSQLiteEncryptionKeyOption"), true)
            try Self.close(Self.make(folder.file("plain.sqlite"), nil))
            let needless = try Self.error { _ = try Self.open(folder.file("plain.sqlite"), Self.key) }
            expectEqual(needless.code, NSPersistentStoreOpenError)
            expectEqual(needless.localizedFailureReason?.contains("encrypted"), true)
            try expectEqual(Self.texts(folder.file("plain.sqlite"), nil), [Self.marker])
        }

        @Test("a raw key has 32 bytes, or 48 with the salt")
        func rawKeys() throws {
            let folder = try TemporaryFolder()
            for count in [32, 48] {
                let options = [NSSQLiteEncryptionKeyOption: Data((0..<count).map { UInt8($0) })]
                let url = folder.file("store\(count).sqlite")
                try Self.close(Self.make(url, options))
                try expectEqual(Self.texts(url, options), [Self.marker])
            }
            let bad: [Any] = [Data(count: 16), "", 7]
            for value in bad {
                let url = folder.file("bad.sqlite")
                let error = try Self.error { _ = try Self.open(url, [NSSQLiteEncryptionKeyOption: value]) }
                expectEqual(error.code, NSPersistentStoreOpenError)
                expectFalse(FileManager.default.fileExists(atPath: url.path))
            }
        }

        @Test("after a change the new key alone opens the store")
        func changedKey() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("store.sqlite")
            let context = try Self.make(url, Self.key)
            let change = {
                try NSPersistentStoreCoordinator.changeEncryptionKey(
                    ofPersistentStoreAt: url, options: Self.key, to: "another one")
            }
            try expectEqual(Self.error(change).code, NSPersistentStoreOperationError)
            try Self.close(context)
            try change()
            try expectEqual(Self.texts(url, [NSSQLiteEncryptionKeyOption: "another one"]), [Self.marker])
            try expectEqual(Self.error { _ = try Self.open(url, Self.key) }.code, NSPersistentStoreOpenError)
            try expectEqual(Self.error(change).code, NSPersistentStoreOpenError)
        }

        @Test("metadata of a closed store need the key")
        func metadata() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("store.sqlite")
            try Self.close(Self.make(url, Self.key))
            var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: Self.key)
            metadata["mine"] = "yes"
            try NSPersistentStoreCoordinator.setMetadata(
                metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: Self.key)
            let again = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: Self.key)
            #expect(again["mine"] as? String == "yes")
            #expect(throws: CocoaError.self) {
                try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: url, options: nil)
            }
        }

        @Test("destroying needs the key, and leaves a file for a new store with that key")
        func destroying() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("store.sqlite")
            try Self.close(Self.make(url, Self.key))
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
            for options in [nil, [NSSQLiteEncryptionKeyOption: "wrong"]] as [[String: Any]?] {
                #expect(throws: CocoaError.self) {
                    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: options)
                }
            }
            try expectEqual(Self.texts(url, Self.key), [Self.marker])
            try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: Self.key)
            try expectEqual(Self.texts(url, Self.key), [])
            expectFalse(try Data(contentsOf: url).starts(with: Data("SQLite format 3".utf8)))
        }

        @Test("a backup has the key of the store; a copy between an encrypted and a plain store is refused")
        func copying() throws {
            let folder = try TemporaryFolder()
            let context = try Self.make(folder.file("store.sqlite"), Self.key)
            let coordinator = try requireValue(context.persistentStoreCoordinator)
            try coordinator.backUpPersistentStore(coordinator.persistentStores[0], to: folder.file("backup.sqlite"))
            try expectEqual(Self.texts(folder.file("backup.sqlite"), Self.key), [Self.marker])
            let other = [NSSQLiteEncryptionKeyOption: "other"]
            try coordinator.replacePersistentStore(
                at: folder.file("other.sqlite"), destinationOptions: other,
                withPersistentStoreFrom: folder.file("store.sqlite"), sourceOptions: Self.key,
                ofType: NSSQLiteStoreType)
            try expectEqual(Self.texts(folder.file("other.sqlite"), other), [Self.marker])
            let error = try Self.error {
                try coordinator.replacePersistentStore(
                    at: folder.file("plain.sqlite"), destinationOptions: nil,
                    withPersistentStoreFrom: folder.file("store.sqlite"), sourceOptions: Self.key,
                    ofType: NSSQLiteStoreType)
            }
            expectEqual(error.code, NSPersistentStoreOperationError)
            expectFalse(FileManager.default.fileExists(atPath: folder.file("plain.sqlite").path))
        }

        @Test("large values stay in the encrypted file, also those of a plain store that is copied")
        func externalData() throws {
            let folder = try TemporaryFolder()
            let image = Data(repeating: 65, count: 300_000)
            let context = try Self.make(folder.file("plain.sqlite"), nil, image: image)
            let support = folder.url.appendingPathComponent(".secret_SUPPORT")
            expectTrue(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(".plain_SUPPORT").path))
            let coordinator = try requireValue(context.persistentStoreCoordinator)
            _ = try coordinator.migratePersistentStore(
                coordinator.persistentStores[0], to: folder.file("secret.sqlite"), options: Self.key,
                withType: NSSQLiteStoreType)
            try Self.close(context)
            try Self.close(Self.make(folder.file("secret.sqlite"), Self.key, image: image))
            expectFalse(FileManager.default.fileExists(atPath: support.path))
            let bytes = try Data(contentsOf: folder.file("secret.sqlite"))
            #expect(bytes.count > 600_000)
            expectEqual(bytes.range(of: Data(repeating: 65, count: 64)), nil)
            let again = try Self.open(folder.file("secret.sqlite"), Self.key)
            try on(again) {
                let notes = try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
                expectEqual(notes.map { $0.value(forKey: "image") as? Data }, [image, image])
            }
        }

        @Test("query generations and the history read with the key of the store")
        func otherConnections() throws {
            let folder = try TemporaryFolder()
            let options = Self.key.merging([NSPersistentHistoryTrackingKey: true]) { $1 }
            let context = try Self.make(folder.file("store.sqlite"), options)
            let pinned = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            pinned.persistentStoreCoordinator = context.persistentStoreCoordinator
            try on(pinned) { try pinned.setQueryGenerationFrom(.current) }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            try on(pinned) { try expectEqual(pinned.count(for: request), 1) }
            try on(context) {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                try context.save()
                try expectEqual(context.count(for: request), 2)
                let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
                let result = try context.execute(history) as? NSPersistentHistoryResult
                expectEqual((result?.result as? [NSPersistentHistoryTransaction])?.count, 2)
            }
            try on(pinned) { try expectEqual(pinned.count(for: request), 1) }
        }
    }
#else
    @Suite("Keys in a program without encryption")
    struct MissingEncryptionTests {
        @Test("a key is refused, and nothing is written")
        func refused() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("store.sqlite")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            do {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                    options: [NSSQLiteEncryptionKeyOption: "swordfish"])
                Issue.record("The store was opened.")
            } catch let error as NSError {
                expectEqual(error.domain, NSCocoaErrorDomain)
                expectEqual(error.code, NSPersistentStoreOpenError)
                expectEqual(error.localizedRecoverySuggestion?.contains("SQLCipher"), true)
                #expect(!"\(error) \(error.userInfo)".contains("swordfish"))
            }
            expectEmpty(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
        }

        @Test("the key of a plain store can't be changed")
        func changingKeys() throws {
            let stack = try TestStack(.sqlite)
            try stack.coordinator.remove(stack.store)
            #expect(throws: CocoaError.self) {
                try NSPersistentStoreCoordinator.changeEncryptionKey(
                    ofPersistentStoreAt: stack.url, options: [NSSQLiteEncryptionKeyOption: "old"], to: "new")
            }
        }
    }
#endif
