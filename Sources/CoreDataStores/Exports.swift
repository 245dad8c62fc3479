@_exported import CoreDataModel
@_exported import CoreDataPredicates
