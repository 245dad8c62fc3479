import CoreData

/// One run of the program.
final class Run: NSManagedObject {
    var date: Date? {
        get { value(forKey: "date") as? Date }
        set { setValue(newValue, forKey: "date") }
    }

    var processID: Int {
        get { (value(forKey: "processID") as? NSNumber)?.intValue ?? 0 }
        set { setValue(NSNumber(value: newValue), forKey: "processID") }
    }

    /// A model in code: one entity with a validation rule, and a localized message for the rule.
    static func model() -> NSManagedObjectModel {
        let date = NSAttributeDescription()
        date.name = "date"
        date.attributeType = .dateAttributeType
        date.isOptional = false
        let processID = NSAttributeDescription()
        processID.name = "processID"
        processID.attributeType = .integer32AttributeType
        processID.isOptional = false
        processID.defaultValue = 0
        processID.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["Process ID < 0"])

        let run = NSEntityDescription()
        run.name = "Run"
        run.managedObjectClassName = "Run"
        run.properties = [date, processID]
        let model = NSManagedObjectModel()
        model.entities = [run]
        model.localizationDictionary = [
            "Property/date/Entity/Run": "Date", "Property/processID/Entity/Run": "Process ID",
            "ErrorString/Process ID < 0": "Process ID must not be less than 0",
        ]
        return model
    }
}
