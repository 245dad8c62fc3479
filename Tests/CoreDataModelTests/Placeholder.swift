import Testing
import CoreDataModel
