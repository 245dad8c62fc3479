// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension Schema.Attribute {
    /// A special trait of an attribute: `@Attribute(.unique)`.
    public struct Option: Codable, Hashable, Sendable, CustomDebugStringConvertible {
        enum Kind: String, Codable, Sendable {
            case unique
            case externalStorage
            case preserveValueOnDeletion
            case ephemeral
            case transformable
            case codable
            case allowsCloudEncryption
            case spotlight
        }

        let kind: Kind
        /// The name of the transformer of a transformable attribute.
        let transformerName: String?

        init(_ kind: Kind, transformerName: String? = nil) {
            self.kind = kind
            self.transformerName = transformerName
        }

        /// No two models have the same value. Inserting a second one updates the first.
        public static var unique: Option { Option(.unique) }
        /// Each large value is stored in a separate file beside the store.
        public static var externalStorage: Option { Option(.externalStorage) }
        /// The history keeps the value when the model is deleted.
        public static var preserveValueOnDeletion: Option { Option(.preserveValueOnDeletion) }
        /// The value is tracked for changes and not saved.
        public static var ephemeral: Option { Option(.ephemeral) }
        /// The value is stored as its encoded form, whatever its type.
        public static var codable: Option { Option(.codable) }
        /// The value may be encrypted in CloudKit. Without effect here: no store is mirrored to CloudKit.
        public static var allowsCloudEncryption: Option { Option(.allowsCloudEncryption) }
        /// The value is indexed for Spotlight. Stored in the schema; there is no Spotlight off Apple's platforms.
        public static var spotlight: Option { Option(.spotlight) }

        /// A transformer turns the value into data.
        ///
        /// - Parameter transformerName: the name under which the transformer is registered.
        public static func transformable(by transformerName: String) -> Option {
            Option(.transformable, transformerName: transformerName)
        }

        /// A transformer turns the value into data. The class is registered under its name, if it is not yet.
        ///
        /// - Parameter transformerType: the class of the transformer.
        public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
            let name = String(describing: transformerType)
            if !ValueTransformer.valueTransformerNames().contains(NSValueTransformerName(name)),
                let transformer = MigrationClasses.object(of: transformerType)
            {
                ValueTransformer.setValueTransformer(transformer, forName: NSValueTransformerName(name))
            }
            return Option(.transformable, transformerName: name)
        }

        /// The option as it is written in a source.
        public var debugDescription: String {
            kind == .transformable ? ".transformable(by: \"\(transformerName ?? "")\")" : ".\(kind.rawValue)"
        }
    }
}
