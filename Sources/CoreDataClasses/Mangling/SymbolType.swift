// SPDX-License-Identifier: Apache-2.0

/// A type in symbol names.
indirect enum SymbolType: Hashable, Sendable {
    /// A type of the standard library with a one-letter code: `S` for String, `i` for Int.
    case standard(String)
    /// A class (`C`), structure (`V`), or enumeration (`O`), in a module or in another type.
    case nominal(parent: SymbolType?, module: String, name: String, kind: Character, discriminator: String?)
    case bound(SymbolType, [SymbolType])
    case optional(SymbolType)
    case array(SymbolType)
    case set(SymbolType)
    case dictionary(SymbolType, SymbolType)
    case any
    case anyObject
    case void

    /// The module that declares a nominal type.
    var module: String? {
        guard case .nominal(_, let module, _, _, _) = self else { return nil }
        return module
    }
}

extension SymbolType {
    /// A class, structure or enumeration of the running program that isn't nested in another type.
    ///
    /// The same toolchain builds this tool and the user's package, so both have the same module for a type of
    /// Foundation.
    init?(of type: Any.Type) {
        guard let mangled = _mangledTypeName(type), let kind = mangled.last else { return nil }
        if mangled.count == 2 && mangled.first == "S" {
            self = .standard(String(kind))
            return
        }
        let parts = _typeName(type, qualified: true).split(separator: ".").map(String.init)
        guard parts.count == 2, "CVO".contains(kind) else { return nil }
        self = .nominal(parent: nil, module: parts[0], name: parts[1], kind: kind, discriminator: nil)
    }
}

/// The types of Swift, Foundation and this package for properties of models, by name.
enum StandardTypes {
    struct Known: Sendable {
        let symbol: SymbolType
        /// Whether the type is a class of managed objects.
        let isManagedObject: Bool
    }

    static func type(named name: String) -> Known? { table[name] }

    /// The modules that may qualify the name of a type.
    static let modules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "CoreFoundation", "CoreData", "OpenCoreData", "CoreDataModel",
        "CoreDataPredicates",
    ]

    private static let table: [String: Known] = {
        var table: [String: Known] = [:]
        for type in valueTypes + classes {
            guard let symbol = SymbolType(of: type) else { continue }
            table[_typeName(type, qualified: false)] = Known(symbol: symbol, isManagedObject: false)
        }
        table["TimeInterval"] = table["Double"]
        for name in [
            "NSManagedObjectID", "NSManagedObjectContext", "NSPersistentStore", "NSPersistentStoreCoordinator",
        ] {
            table[name] = Known(symbol: classOfFramework(name), isManagedObject: false)
        }
        table["NSManagedObject"] = Known(symbol: managedObject, isManagedObject: true)
        return table
    }()

    /// The base class of the classes of models.
    static let managedObject = classOfFramework("NSManagedObject")

    /// A class of the module `OpenCoreData`, which this module doesn't link.
    private static func classOfFramework(_ name: String) -> SymbolType {
        .nominal(parent: nil, module: "OpenCoreData", name: name, kind: "C", discriminator: nil)
    }

    private static let valueTypes: [Any.Type] = [
        String.self, Substring.self, Character.self, Bool.self, Double.self, Float.self, Int.self, UInt.self, Int8.self,
        Int16.self, Int32.self,
        Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, CGFloat.self, CGPoint.self, CGSize.self,
        CGRect.self, Date.self, Data.self,
        UUID.self, URL.self, Decimal.self, Locale.self, TimeZone.self, Calendar.self, DateComponents.self,
        DateInterval.self, IndexSet.self,
        IndexPath.self, URLComponents.self, CharacterSet.self, AttributedString.self, PersonNameComponents.self,
        ComparisonResult.self, AnyHashable.self,
    ]

    private static let classes: [Any.Type] = [
        NSObject.self, NSNumber.self, NSDecimalNumber.self, NSString.self, NSMutableString.self, NSDate.self,
        NSData.self, NSMutableData.self,
        NSUUID.self, NSURL.self, NSValue.self, NSNull.self, NSSet.self, NSMutableSet.self, NSCountedSet.self,
        NSOrderedSet.self,
        NSMutableOrderedSet.self, NSArray.self, NSMutableArray.self, NSDictionary.self, NSMutableDictionary.self,
        NSIndexSet.self,
        NSMutableIndexSet.self, NSIndexPath.self, NSAttributedString.self, NSMutableAttributedString.self,
        NSLocale.self, NSTimeZone.self,
        NSCalendar.self, NSDateComponents.self, NSDateInterval.self, NSCharacterSet.self, NSError.self,
        NSPredicate.self,
        NSCompoundPredicate.self, NSComparisonPredicate.self, NSExpression.self, NSSortDescriptor.self,
        NSRegularExpression.self,
        ValueTransformer.self, NSEntityDescription.self, NSManagedObjectModel.self,
    ]
}
