import Testing
import CoreData
