// SPDX-License-Identifier: Apache-2.0

/// The model for an identifier whose entity the container doesn't have. It has no properties and no context.
final class UnavailableModel: PersistentModel {
    private var backingData: any BackingData<UnavailableModel>

    init(object: ModelObject) { backingData = ManagedBackingData(object) }

    init() { backingData = ManagedBackingData(for: UnavailableModel.self) }

    init(backingData: any BackingData<UnavailableModel>) { self.backingData = backingData }

    var persistentBackingData: any BackingData<UnavailableModel> {
        get { backingData }
        set { backingData = newValue }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] { [] }
}
