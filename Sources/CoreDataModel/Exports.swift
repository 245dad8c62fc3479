@_exported import CoreDataPredicates
