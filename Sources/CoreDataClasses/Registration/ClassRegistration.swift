/// Writes the code that makes a module's classes known by name.
struct ClassRegistration {
    let resolver: TypeResolver
    let extra: [String]

    private struct Entry {
        let spelling: String
        let objectiveCName: String?
        let conditions: [String]
    }

    /// The text of the file; nil if the module has no class of managed objects that another file can name.
    func text() -> String? {
        var entries: [Entry] = []
        for file in resolver.own.files {
            for type in file.types
            where type.kind == .class && !type.isHidden && !type.isGeneric
                && resolver.inheritsFromManagedObject(type, in: resolver.own)
            {
                entries.append(
                    Entry(
                        spelling: type.path.map(SwiftName.spelled).joined(separator: "."),
                        objectiveCName: type.objectiveCName,
                        conditions: type.scope.conditions))
            }
        }
        let known = Set(entries.map(\.spelling))
        var seen: Set<String> = []
        for name in extra where !known.contains(name) && seen.insert(name).inserted {
            entries.append(Entry(spelling: name, objectiveCName: nil, conditions: []))
        }
        guard !entries.isEmpty else { return nil }
        let module = resolver.own.module
        let files = resolver.own.files
        return """
            // Makes the classes of \(module) known by name, made by momc. Changes are lost at the next build.
            \(ImportList(files: files, isPublic: false).text([ImportList.framework(files)]))
            /// Makes the classes of managed objects in this module known by name. On Linux and Android that is done before the
            /// program begins; elsewhere call it before a model is used.
            nonisolated func registerManagedObjectClasses() {
            \(entries.map(statement).joined())}

            // Older compilers don't know the attributes.
            #if (os(Linux) || os(Android)) && compiler(>=6.3)
            @section(".init_array") @used private nonisolated let _registerManagedObjectClasses_\(SwiftName.part(module)): @convention(c) () -> Void = {
                registerManagedObjectClasses()
            }
            #endif

            """
    }

    private func statement(_ entry: Entry) -> String {
        let name = entry.objectiveCName.map { ", as: \(SwiftName.literal($0))" } ?? ""
        return entry.conditions.map { "    #if \($0)\n" }.joined()
            + "    NSManagedObject.register(\(entry.spelling).self\(name))\n"
            + entry.conditions.map { _ in "    #endif\n" }.joined()
    }
}
