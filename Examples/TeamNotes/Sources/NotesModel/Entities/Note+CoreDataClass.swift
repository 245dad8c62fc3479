//
//  Note+CoreDataClass.swift
//  TeamNotes
//

import CoreData
import Foundation

@objc(Note)
public class Note: NSManagedObject {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: #keyPath(Note.key))
        setPrimitiveValue(Date(), forKey: #keyPath(Note.changed))
    }

    /// Notes that are not in the trash: pinned ones first, then the newest.
    public class func listRequest(searchText: String = "") -> NSFetchRequest<Note> {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        var parts = [NSPredicate(format: "%K == NO", #keyPath(Note.isTrashed))]
        if !searchText.isEmpty {
            parts.append(
                NSPredicate(
                    format: "%K CONTAINS[cd] %@ OR %K CONTAINS[cd] %@ OR ANY %K ==[cd] %@", #keyPath(Note.title),
                    searchText, #keyPath(Note.text), searchText, #keyPath(Note.topics.name), searchText))
        }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        request.sortDescriptors = [
            NSSortDescriptor(key: #keyPath(Note.isPinned), ascending: false),
            NSSortDescriptor(key: #keyPath(Note.changed), ascending: false),
            NSSortDescriptor(key: #keyPath(Note.title), ascending: true),
        ]
        request.fetchBatchSize = 50
        request.relationshipKeyPathsForPrefetching = [#keyPath(Note.topics)]
        return request
    }

    /// The names of the topics, sorted.
    public var topicNames: [String] {
        get { (topics as? Set<Topic> ?? []).compactMap(\.name).sorted() }
        set {
            guard let context = managedObjectContext else { return }
            topics = NSSet(array: newValue.compactMap { Topic.named($0, in: context) })
        }
    }

    /// Says that a person has changed the note now.
    public func touch() { changed = Date() }

}
