import CoreData

/// Edits through the API, each in one of several ways.
extension RandomLevel {
    func edit(_ operation: RandomOperation) throws {
        switch operation {
        case .insert(let number, let entity, let form): try insert(number, entity, form)
        case .set(let number, let key, let value, let form): try set(number, key, value, form)
        case .relate(let number, let key, let other, let form): try relate(number, key, other, form)
        case .add(let number, let key, let other, let form): try add(number, key, other, form)
        case .remove(let number, let key, let other, let form): try remove(number, key, other, form)
        case .place(let number, let key, let other, let position, let form):
            try place(number, key, other, at: position, form)
        case .move(let number, let key, let from, let to, let form): try move(number, key, from, to, form)
        case .replace(let number, let key, let others, let form): try replace(number, key, others, form)
        case .delete(let number): context.delete(try object(number))
        default: throw TestFailure("\(operation) is no edit")
        }
    }

    private func insert(_ number: Int, _ entity: RandomSchema.Entity, _ form: Int) throws {
        let object: NSManagedObject
        if form % 2 == 0 {
            object = NSEntityDescription.insertNewObject(forEntityName: entity.rawValue, into: context)
        } else {
            guard let description = NSEntityDescription.entity(forEntityName: entity.rawValue, in: context) else {
                throw TestFailure("no entity")
            }
            object = NSManagedObject(entity: description, insertInto: form % 4 == 1 ? context : nil)
            if form % 4 == 3 { context.insert(object) }
        }
        object.setValue(number, forKey: "number")
        held[number] = object
        ids.byNumber[number] = object.objectID
    }

    private func set(_ number: Int, _ key: String, _ value: ReferenceValue, _ form: Int) throws {
        let object = try object(number)
        let type = RandomSchema.attribute(key).type
        let new = value.object(type)
        switch form % 5 {
        case 0: object.setValue(new, forKey: key)
        case 1:
            object.willChangeValue(forKey: key)
            object.setPrimitiveValue(new, forKey: key)
            object.didChangeValue(forKey: key)
        case 2: object[key] = new
        case 3: object.setValuesForKeys([key: new ?? NSNull()])
        default: object.assign(new, of: type, to: key)
        }
    }

    private func relate(_ number: Int, _ key: String, _ other: Int?, _ form: Int) throws {
        let object = try object(number)
        let destination = try other.map(self.object)
        // The other side does it as well, where it can.
        if form % 4 == 3, let destination,
            let inverse = RandomSchema.relationship(key).inverse.map(RandomSchema.relationship)
        {
            if !inverse.isToMany { return destination.setValue(object, forKey: inverse.name) }
            if inverse.isOrdered {
                destination.mutableOrderedSetValue(forKey: inverse.name).add(object)
            } else {
                destination.mutableSetValue(forKey: inverse.name).add(object)
            }
            return
        }
        switch form % 4 {
        case 1: object.assign(destination, to: key)
        case 2:
            object.willChangeValue(forKey: key)
            object.setPrimitiveValue(destination, forKey: key)
            object.didChangeValue(forKey: key)
        default: object.setValue(destination, forKey: key)
        }
    }

    private func isOrdered(_ key: String) -> Bool { RandomSchema.relationship(key).isOrdered }

    private func add(_ number: Int, _ key: String, _ other: Int, _ form: Int) throws {
        let object = try object(number)
        let member = try self.object(other)
        if form % 4 == 3, let inverse = RandomSchema.relationship(key).inverse.map(RandomSchema.relationship) {
            // A member that is added by the inverse is last, like any added member.
            if !inverse.isToMany { return member.setValue(object, forKey: inverse.name) }
            if inverse.isOrdered {
                member.mutableOrderedSetValue(forKey: inverse.name).add(object)
            } else {
                member.mutableSetValue(forKey: inverse.name).add(object)
            }
            return
        }
        switch (form % 4, isOrdered(key)) {
        case (1, _): object.addMember(member, to: key)
        case (2, false):
            object.setValue(object.objects(key).union([member]), forKey: key)
        case (2, true):
            guard let order = (object.value(forKey: key) as? NSOrderedSet)?.mutableCopy() as? NSMutableOrderedSet else {
                throw TestFailure("\(key) is no ordered set")
            }
            order.add(member)
            object.setValue(order, forKey: key)
        case (_, true): object.mutableOrderedSetValue(forKey: key).add(member)
        default: object.mutableSetValue(forKey: key).add(member)
        }
    }

    private func remove(_ number: Int, _ key: String, _ other: Int, _ form: Int) throws {
        let object = try object(number)
        let member = try self.object(other)
        let isMember = reference.present.records[number]!.destinations(key).contains(other)
        if form % 4 == 3, isMember, let inverse = RandomSchema.relationship(key).inverse.map(RandomSchema.relationship)
        {
            if !inverse.isToMany { return member.setValue(nil, forKey: inverse.name) }
            if inverse.isOrdered {
                member.mutableOrderedSetValue(forKey: inverse.name).remove(object)
            } else {
                member.mutableSetValue(forKey: inverse.name).remove(object)
            }
            return
        }
        switch (form % 4, isOrdered(key)) {
        case (1, _): object.removeMember(member, from: key)
        case (2, false):
            let members = object.objects(key)
            object.setValue(members.subtracting([member]), forKey: key)
        case (2, true):
            let order = object.mutableOrderedSetValue(forKey: key)
            let index = order.index(of: member)
            if index != NSNotFound { order.removeObject(at: index) }
        case (_, true): object.mutableOrderedSetValue(forKey: key).remove(member)
        default: object.mutableSetValue(forKey: key).remove(member)
        }
    }

    private func place(_ number: Int, _ key: String, _ other: Int, at position: Int, _ form: Int) throws {
        let object = try object(number)
        let member = try self.object(other)
        let order = reference.present.records[number]!.destinations(key)
        let position = min(position, order.count)
        if form % 2 == 1 && !order.contains(other) {
            object.insertMember(member, into: key, at: position)
        } else {
            object.mutableOrderedSetValue(forKey: key).insert(member, at: position)
        }
    }

    private func move(_ number: Int, _ key: String, _ from: Int, _ to: Int, _ form: Int) throws {
        let order = try object(number).mutableOrderedSetValue(forKey: key)
        guard order.count > 0 else { throw TestFailure("\(number).\(key) is empty") }
        let (from, to) = (from % order.count, to % order.count)
        switch form {
        case 0: order.moveObjects(at: IndexSet(integer: from), to: to)
        case 1: order.exchangeObject(at: from, withObjectAt: to)
        default: try object(number).setValue(order.reversed, forKey: key)
        }
    }

    private func replace(_ number: Int, _ key: String, _ others: [Int], _ form: Int) throws {
        let object = try object(number)
        let members = try others.map(self.object)
        switch (form % 3, isOrdered(key)) {
        case (0, true): object.setValue(NSOrderedSet(array: members), forKey: key)
        case (1, true): object.assign(NSOrderedSet(array: members), to: key)
        case (2, true):
            let order = object.mutableOrderedSetValue(forKey: key)
            order.removeAllObjects()
            order.addObjects(from: members)
        case (0, false): object.setValue(NSSet(array: members), forKey: key)
        case (1, false): object.assign(Set(members), to: key)
        default:
            let set = object.mutableSetValue(forKey: key)
            set.intersect(Set(members))
            for member in members { set.add(member) }
        }
    }
}
