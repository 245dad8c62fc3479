// SPDX-License-Identifier: Apache-2.0

/// An index of a SQL store over one or more properties of an entity.
///
/// ```swift
/// let title = NSAttributeDescription()
/// title.name = "title"
/// title.type = .string
/// let song = NSEntityDescription()
/// song.name = "Song"
/// song.properties = [title]
///
/// let byTitle = NSFetchIndexDescription(
///     name: "byTitle",
///     elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
/// byTitle.partialIndexPredicate = NSPredicate(format: "title != nil")
/// song.indexes = [byTitle]
/// ```
///
/// A SQL store creates the index (`CREATE INDEX`) together with the table of the entity; an index costs time on every
/// save. Indexes are not part of the version hash: a store without them can be opened.
///
/// An index is mutable until the model of its entity is given to a coordinator. Afterwards a setter stops the program.
///
/// ## Topics
///
/// ### Creating an index
///
/// - ``init(name:elements:)``
/// - ``NSFetchIndexElementDescription``
///
/// ### Describing an index
///
/// - ``name``
/// - ``elements``
/// - ``partialIndexPredicate``
/// - ``entity``
nonisolated open class NSFetchIndexDescription: NSObject, NSCopying, NSSecureCoding {
    private var elementStorage: [NSFetchIndexElementDescription] = []
    private var entityReference: BackReference<NSEntityDescription>?
    /// The model that was decoded together with this description, if nothing else retains it. Cleared when the
    /// description is assigned to an owner, because the model would then retain itself.
    var decodedModel: NSManagedObjectModel?
    var entityStorage: NSEntityDescription? {
        get { entityReference?.target }
        set { entityReference = newValue?.backReference }
    }

    /// Creates an index. Assign it to `indexes` of an entity.
    ///
    /// - Parameters:
    ///   - name: the name, which is unique in the entity.
    ///   - elements: the indexed properties, the most significant first; nil for none.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        super.init()
        assignElements(elements ?? [])
    }

    /// Decodes an index that `encode(with:)` encoded, with its entity and model.
    ///
    /// The result is a mutable copy that retains the model. Assign a copy of it to put it into another entity.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`, which gets an error if the archive contains no valid index.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSFetchIndexDescription.self, from: coder) })
    }

    /// The name, which is unique in its entity.
    open var name: String {
        willSet { willModify("name") }
    }

    /// The indexed properties, the most significant first.
    open var elements: [NSFetchIndexElementDescription] {
        get { elementStorage }
        set {
            willModify("elements")
            assignElements(newValue)
        }
    }

    /// The entity that declares the index; nil before it is assigned to one.
    open var entity: NSEntityDescription? { entityStorage }

    /// A condition: the index contains only objects that satisfy it. Nil, the default, indexes all objects.
    open var partialIndexPredicate: NSPredicate? {
        willSet { willModify("partialIndexPredicate") }
    }

    /// A mutable copy that belongs to no entity.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(
            name: name, elements: elementStorage.compactMap { $0.copy() as? NSFetchIndexElementDescription })
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    /// Whether both descriptions have equal options. Related descriptions are compared by name.
    ///
    /// - Parameter object: the object to compare with.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return self === other
            || (name == other.name && elementStorage == other.elementStorage
                && predicatesAreEqual(partialIndexPredicate, other.partialIndexPredicate))
    }

    /// Equal objects have equal hashes.
    public override var hash: Int { name.hashValue }

    func willModify(_ key: String) {
        if entityStorage?.frozenState != nil {
            immutableModelError("Index '\(name)' of entity '\(entityStorage?.name ?? "")'", key: key)
        }
    }

    private func assignElements(_ elements: [NSFetchIndexElementDescription]) {
        for element in elementStorage { element.indexStorage = nil }
        for element in elements {
            element.indexStorage = self
            element.decodedModel = nil
        }
        elementStorage = elements
    }
}
