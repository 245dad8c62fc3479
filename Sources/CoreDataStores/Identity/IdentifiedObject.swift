// SPDX-License-Identifier: Apache-2.0

/// Something with the ID of a managed object: the object itself, or its row in a predicate that is evaluated on rows.
package protocol IdentifiedObject: AnyObject {
    var objectID: NSManagedObjectID { get }
}
