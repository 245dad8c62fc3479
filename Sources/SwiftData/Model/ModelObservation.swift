// SPDX-License-Identifier: Apache-2.0

/// The observers of one model, by Swift's observation: made when a property is read while a program tracks reads.
final class ModelObservation {
    let registrar = ObservationRegistrar()
    /// The keys whose observers were told since the last event of the context.
    var announced: Set<String> = []
    /// Ends the observation of what changes without the model's accessors: merges, undo, refreshes, inverses.
    private var endObservingChanges: (@Sendable () -> Void)?

    /// Follows the changes of a managed object.
    func observeChanges(of object: ModelObject) {
        guard endObservingChanges == nil else { return }
        endObservingChanges = object.observeChanges { [weak object] keys in object?.eventDidChange(keys) }
    }

    func end() { endObservingChanges?() }
}

extension ModelObject {
    // MARK: The accessors of the model

    /// Tells the tracking in progress that a property is read.
    @inline(never)
    func access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
        observed().registrar.access(model, keyPath: keyPath)
    }

    /// Changes a property, and tells its observers.
    @inline(never)
    func withMutation<Model: PersistentModel, Value, Result>(
        of model: Model, _ keyPath: KeyPath<Model, Value>, key: String?, _ mutation: () throws -> Result
    ) rethrows -> Result {
        let observation = observed()
        if let key { observation.announced.insert(key) }
        return try observation.registrar.withMutation(of: model, keyPath: keyPath, mutation)
    }

    /// The observers, made at the first use.
    func observed() -> ModelObservation {
        let observation = observation ?? ModelObservation()
        self.observation = observation
        observation.observeChanges(of: self)
        return observation
    }

    // MARK: Changes without accessors

    /// Tells the observers of properties that have changed in an event of the context.
    fileprivate func eventDidChange(_ keys: Set<String>) {
        guard let observation else { return }
        for key in keys.subtracting(observation.announced) {
            notify(key, .willSet)
            notify(key, .didSet)
        }
        observation.announced = []
    }

    /// Tells the observers of a relationship that its inverse is about to change it.
    func willChange(_ key: String) {
        observation?.announced.insert(key)
        notify(key, .willSet)
    }

    /// Tells the observers of a relationship that its inverse has changed it.
    func didChange(_ key: String) { notify(key, .didSet) }

    private enum Moment {
        case willSet
        case didSet
    }

    private func notify(_ key: String, _ moment: Moment) {
        guard let observation, let model = knownModel as? any PersistentModel,
            let keyPath = ModelMetadata.of(type(of: model)).property(named: key)?.keypath,
            let root = type(of: keyPath).rootType as? any PersistentModel.Type
        else { return }
        Self.notify(model, root, keyPath, moment, observation.registrar)
    }

    /// Tells a registrar, with the types of the key path.
    private static func notify<Model: PersistentModel>(
        _ model: any PersistentModel, _ root: Model.Type, _ keyPath: AnyKeyPath, _ moment: Moment,
        _ registrar: ObservationRegistrar
    ) {
        guard let model = model as? Model else { return }
        func notifyTyped<Value>(_ type: Value.Type) {
            guard let keyPath = keyPath as? KeyPath<Model, Value> else { return }
            switch moment {
            case .willSet: registrar.willSet(model, keyPath: keyPath)
            case .didSet: registrar.didSet(model, keyPath: keyPath)
            }
        }
        _openExistential(type(of: keyPath).valueType, do: notifyTyped)
    }
}
