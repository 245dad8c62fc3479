// SPDX-License-Identifier: Apache-2.0

/// Converts keyed archives to objects of allowed classes, and objects to keyed archives.
///
/// Transformable attributes that name no transformer use it. Data that is no keyed archive, or that contains other
/// classes, gives nil.
nonisolated open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The allowed classes of the root object and of the elements of collections. Override it to allow further classes.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// The allowed class if there is only one, else `NSObject`.
    open override class func transformedValueClass() -> AnyClass {
        let classes = allowedTopLevelClasses
        return classes.count == 1 ? classes[0] : NSObject.self
    }

    /// True.
    open override class func allowsReverseTransformation() -> Bool { true }

    /// The object in a keyed archive.
    ///
    /// - Parameter value: the archive as `Data`.
    /// - Returns: nil for nil, for damaged data, and for an archive with a class that isn't allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = Values.unwrap(value) as? Data else { return nil }
        do {
            guard try ArchivedClasses.firstDisallowedClass(in: data, allowing: Self.allowedTopLevelClasses) == nil
            else {
                return nil
            }
            let archive = try KeyedArchiveReader(data)
            try archive.checkNesting()
            if let plain = try PlainArchive.root(of: archive) {
                return Self.allowedTopLevelClasses.contains { plain.isKind(of: $0) } ? plain : nil
            }
            // Foundation's unarchiver is for archives with objects of other classes.
            let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.allowedTopLevelClasses, from: data)
            return Values.unwrap(object)
        } catch {
            return nil
        }
    }

    /// The keyed archive of an object.
    ///
    /// An object of a class that isn't allowed stops the program, as on Apple's platforms: it couldn't be read again.
    ///
    /// - Parameter value: the object.
    /// - Returns: the archive as `Data`; nil for nil.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value = Values.unwrap(value) else { return nil }
        let object = Self.archivable(value)
        guard Self.allowedTopLevelClasses.contains(where: { object.isKind(of: $0) }) else {
            programmingError(
                """
                \(Self.self): the class \(type(of: value)) isn't allowed. Override allowedTopLevelClasses to allow it.
                """)
        }
        do {
            return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        } catch {
            programmingError("\(Self.self): can't archive an object of the class \(type(of: value)): \(error)")
        }
    }

    /// The value as an object that can be archived.
    private static func archivable(_ value: Any) -> NSObject {
        switch value {
        case let string as String: string as NSString
        case let date as Date: date as NSDate
        case let data as Data: data as NSData
        case let url as URL: url as NSURL
        case let uuid as UUID: uuid as NSUUID
        case let array as [Any]: array as NSArray
        case let dictionary as [AnyHashable: Any]: dictionary as NSDictionary
        case let set as any SetValue: NSSet(array: set.allElements)
        case let object as NSObject: object
        default:
            programmingError(
                """
                \(self): a value of the type \(type(of: value)) can't be archived. Use an object of a class that \
                conforms to NSSecureCoding.
                """)
        }
    }
}
