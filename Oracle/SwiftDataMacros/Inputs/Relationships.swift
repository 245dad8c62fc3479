@Model final class Owner {
    @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
    init() {}
}
@Model final class Pet { var owner: Owner?; @Relationship var tags: [Tag]; init() { tags = [] } }
@Model final class Tag { @Relationship(inverse: \Pet.tags) var pets: [Pet]? = nil; init() {} }
@Model final class Counts {
    @Relationship(.unique, deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 5, originalName: "x", inverse: \Outer.Inner.counts, hashModifier: "h")
    var items: [Outer.Inner] = [Outer.Inner]()
    init() {}
}
@Model final class NoAction { @Relationship(deleteRule: .noAction) var a: [Pet] = .init(); init() {} }
@Model final class Nullify { @Relationship(deleteRule: Schema.Relationship.DeleteRule.nullify, minimumModelCount: nil) var a: Pet?; init() {} }
@Model final class RequiredToOne { var owner: Owner; init(owner: Owner) { self.owner = owner } }
@Model final class OptionalToMany { var owners: [Owner]?; var set: Set<Owner> = []; init() {} }
@Model final class SelfReference {
    var parent: SelfReference?
    @Relationship(deleteRule: .cascade, inverse: \SelfReference.parent) var children = [SelfReference]()
    init() {}
}
@Model final class QualifiedTypes { var a: V1.Owner?; var b: [App.V1.Owner] = []; var c: Swift.Optional<V1.Owner>; init() { c = nil } }
@Model final class Ordered { @Relationship(originalName: "a, b (c)") var items: [Pet] = []; init() {} }
@Model final class MultilineRelationship {
    @Relationship(
        deleteRule: .cascade,
        inverse: \Pet.owner)
    public private(set) var pets: [Pet]
        = [
            Pet(), // first
            Pet(),
        ]
    init() {}
}
