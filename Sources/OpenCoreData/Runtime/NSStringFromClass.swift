// SPDX-License-Identifier: Apache-2.0

// Foundation's function on Linux stops the program for a private class, and for one inside of another type. The
// compiler prefers these for the classes that models and mapping models name.

/// **Extension.** The name of a class of managed objects, in the form of an entity's `managedObjectClassName`: module
/// and class, with the types that contain it. May be called on any thread.
///
/// - Parameter aClass: the class. It may be private.
/// - Returns: the name.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String { ClassName.of(aClass) }

/// **Extension.** The name of a migration policy's class, in the form of an entity mapping's
/// `entityMigrationPolicyClassName`: module and class, with the types that contain it. May be called on any thread.
///
/// - Parameter aClass: the class. It may be private.
/// - Returns: the name.
public func NSStringFromClass(_ aClass: NSEntityMigrationPolicy.Type) -> String { ClassName.of(aClass) }
