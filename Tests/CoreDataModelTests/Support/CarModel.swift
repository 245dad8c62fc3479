import CoreDataModel

/// The model of a test vector of the version hashes, which Apple's compiler computed.
enum CarModel {
    static func make() -> NSManagedObjectModel {
        let car = entity("Car")
        let person = entity("Person")
        let sportCar = entity("SportCar")
        let expensive = entity("ExpensiveSportCar")
        car.subentities = [sportCar]
        sportCar.subentities = [expensive]
        let model = NSManagedObjectModel()
        model.entities = [car, person, sportCar, expensive]

        let owner = NSRelationshipDescription()
        owner.name = "owner"
        owner.maxCount = 1
        owner.destinationEntity = person
        let cars = NSRelationshipDescription()
        cars.name = "cars"
        cars.destinationEntity = car
        cars.inverseRelationship = owner
        owner.inverseRelationship = cars

        let speed = attribute("currentDrivingSpeed", .integer64)
        speed.isTransient = true
        car.properties = [
            attribute("color", .transformable), speed, attribute("maker", .string),
            attribute("markedForDeletionAsOf", .date),
            attribute("model", .string), attribute("numberPlate", .string, optional: false), owner,
        ]
        car.uniquenessConstraints = [["numberPlate"]]
        let id = attribute("id", .uuid, optional: false)
        id.preservesValueInHistoryOnDeletion = true
        let isDriving = attribute("isDriving", .boolean, optional: false)
        isDriving.isTransient = true
        person.properties = [
            attribute("firstName", .string), attribute("lastName", .string), id, isDriving,
            attribute("updatedAt", .date, optional: false),
            cars,
        ]
        person.uniquenessConstraints = [["firstName", "lastName"]]
        expensive.properties = [attribute("isLimitedEdition", .boolean)]
        return model
    }

    static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, optional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = optional
        return attribute
    }
}

extension Data {
    var hex: String { map { String(format: "%02x", $0) }.joined() }
}
