// SPDX-License-Identifier: Apache-2.0

/// Stops the program for a change to a model that a coordinator uses.
func immutableModelError(_ subject: String, key: String) -> Never {
    programmingError(
        """
        Can't modify an immutable model. \(subject), key '\(key)': the model is in use by a persistent store \
        coordinator. Change the model before it is given to a coordinator, or change a copy of it (copy()).
        """)
}
