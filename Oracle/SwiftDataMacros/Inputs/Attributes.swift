import SwiftData

@Model final class Unique { @Attribute(.unique) var id: UUID; init(id: UUID) { self.id = id } }
@Model final class ExternalStorage { @Attribute(.externalStorage) var data: Data?; init() {} }
@Model final class Spotlight { @Attribute(.spotlight) var title = ""; init() {} }
@Model final class Encrypted { @Attribute(.allowsCloudEncryption) var secret: String = "x"; init() {} }
@Model final class Ephemeral { @Attribute(.ephemeral) var isSelected: Bool = false; init() {} }
@Model final class Preserved { @Attribute(.preserveValueOnDeletion) var key: String; init(key: String) { self.key = key } }
@Model final class Transformable { @Attribute(.transformable(by: "ColorTransformer")) var color: Color?; init() {} }
@Model final class TransformableType { @Attribute(.transformable(by: ColorTransformer.self)) var color: Color = Color.red; init() {} }
@Model final class TransformableOptions { @Attribute(.unique, .transformable(by: "T"), originalName: "c") var color: [Int] = [1]; init() {} }
@Model final class NotTransformable { @Attribute(originalName: "transformable") var color: Int = 1; init() {} }
@Model final class OriginalName { @Attribute(originalName: "name") var title: String = ""; init() {} }
@Model final class HashModifier { @Attribute(hashModifier: "v2") var title: String = ""; init() {} }
@Model final class AllOptions {
    @Attribute(.unique, .externalStorage, .spotlight, originalName: "n", hashModifier: "h") var title: String = ""
    init() {}
}
@Model final class AttributeOnOwnLine {
    @Attribute(.unique)
    var title: String
    @Attribute(
        .unique,
        // The first name.
        originalName: "old" /* kept */,
        hashModifier: "x"
    )
    var subtitle: String
    init(title: String) { self.title = title; subtitle = "" }
}
@Model final class EmptyAttribute { @Attribute var a: Int = 0; @Attribute() var b: Int = 0; init() {} }
@Model final class QualifiedAttribute { @SwiftData.Attribute(.unique) var a: Int = 0; @SwiftData.Transient var b = 1; init() {} }
@Model final class OtherAttributes {
    @available(*, deprecated, message: "Use (title)") var name: String = ""
    @objc var number: Int = 0
    @MainActor var isolated: Int = 0
    @Attribute(.unique) @available(macOS 15, *) var title: String = ""
    init() {}
}
@Model final class ConditionalAttribute {
    #if DEBUG
    @Attribute(.unique)
    #endif
    var a: Int = 0
    init() {}
}
@SwiftData.Model final class QualifiedModel { var a: Int; init(a: Int) { self.a = a } }
@available(macOS 15, iOS 18, *) @Model final class AvailableModel { var a: Int = 0; init() {} }
@Model @MainActor final class IsolatedModel { var a: Int = 0; init() {} }
@Model @objc(Song) @dynamicMemberLookup final class ManyAttributes { var a: Int = 0; init() {} }
@Model final class BothKinds { @Relationship(deleteRule: .cascade) @Attribute(.unique) var a: Tag?; init() {} }
@Model final class AlreadyPersisted { @_PersistedProperty var a: Int = 0; @_TransformablePersistedProperty var b: Int = 0; init() {} }
