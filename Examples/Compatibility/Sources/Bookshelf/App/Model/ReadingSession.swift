import CoreData

@objc(ReadingSession)
class ReadingSession: Activity {
    convenience init(minutes: Int16, of book: Book, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.minutes = minutes
        self.book = book
        start = Date()
    }
}
