@_exported import CoreDataModel
@_exported import CoreDataPredicates
@_exported import CoreDataStores
