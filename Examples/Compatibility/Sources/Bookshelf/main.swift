import CoreData

// A program as an app's developer writes it for Apple's platforms, with nothing changed for Linux.
ColourTransformer.register()
ValueTransformer.setValueTransformer(KeywordsTransformer(), forName: KeywordsTransformer.name)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Bookshelf-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
try await Scenarios(storeURL: folder.appendingPathComponent("Bookshelf.sqlite")).run()
print(failures == 0 ? "Everything behaves as expected." : "\(failures) checks failed.")
exit(failures == 0 ? 0 : 1)
