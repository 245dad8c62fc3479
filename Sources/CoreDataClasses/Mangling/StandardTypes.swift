/// The types of Swift, Foundation and this package that properties of models have, by name.
enum StandardTypes {
    struct Known: Sendable {
        let symbol: SymbolType
        /// Whether a property of the type refers to an object of the model.
        let isManagedObject: Bool
    }

    static func type(named name: String) -> Known? { table[name] }

    /// Modules whose names may stand before a type's.
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

    /// The class that all classes of models inherit from.
    static let managedObject = classOfFramework("NSManagedObject")

    /// Classes of objects and stores: the tool that reads sources doesn't link their module.
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
