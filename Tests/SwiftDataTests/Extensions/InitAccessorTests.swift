/// Init accessors that a program writes itself, in the form in which macros expand.
@Suite("Init accessors written by hand")
struct InitAccessorTests {
    @Test("The first value that is set is kept")
    func firstValue() throws {
        let entry = Entry(title: "Monday")
        expectEqual(entry.title, "Monday")
        let context = ModelContext(
            try ModelContainer(for: Entry.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(entry)
        try context.save()
        try expectEqual(ModelContext(context.container).fetch(FetchDescriptor<Entry>()).map(\.title), ["Monday"])
    }
}

private struct NoType {}

private final class Entry: PersistentModel {
    private var _$backingData = ManagedBackingData<Entry>()
    private var _title: NoType

    var title: String {
        @storageRestrictions(accesses: _$backingData, initializes: _title)
        init(initialValue) {
            _$backingData.setValue(forKey: \.title, to: initialValue)
            _title = NoType()
        }
        get { getValue(forKey: \.title) }
        set { setValue(forKey: \.title, to: newValue) }
    }

    var persistentBackingData: any BackingData<Entry> {
        get { _$backingData.backingData(of: self) }
        set { _$backingData = ManagedBackingData(newValue) }
    }

    init(title: String) { self.title = title }

    init(backingData: any BackingData<Entry>) {
        _title = NoType()
        _$backingData = ManagedBackingData(backingData)
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [Schema.PropertyMetadata(name: "title", keypath: \Entry.title, defaultValue: nil, metadata: nil)]
    }
}
