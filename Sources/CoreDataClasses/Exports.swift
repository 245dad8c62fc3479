@_exported import CoreDataModel
