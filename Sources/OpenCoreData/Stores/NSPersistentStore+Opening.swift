// SPDX-License-Identifier: Apache-2.0

/// The steps of opening a SQL store that all engines share.
extension NSPersistentStore {
    /// The name of the configuration whose entities the store has; nil for all entities.
    package final var restrictingConfigurationName: String? {
        configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : configurationName
    }

    /// Forbids saves that the history of the store would not record.
    ///
    /// - Parameter location: the store's path or address.
    package final func becomeReadOnlyWithoutHistoryTracking(_ location: String) {
        isReadOnly = true
        CoreDataLog.error(
            """
            Store opened without NSPersistentHistoryTrackingKey but previously had been opened with \
            NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at '\(location)'. Set the option to \
            save into the store.
            """)
    }
}
