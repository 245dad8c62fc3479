//
//  Topic+CoreDataClass.swift
//  TeamNotes
//

import CoreData
import Foundation

@objc(Topic)
public class Topic: NSManagedObject {

    /// The topic of a name, which is made if it doesn't exist. A name without letters has none.
    public class func named(_ name: String, in context: NSManagedObjectContext) -> Topic? {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard !name.isEmpty else { return nil }
        let request: NSFetchRequest<Topic> = Topic.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", #keyPath(Topic.name), name)
        request.fetchLimit = 1
        if let topic = try? context.fetch(request).first { return topic }
        let topic = Topic(context: context)
        topic.name = name
        return topic
    }

}
