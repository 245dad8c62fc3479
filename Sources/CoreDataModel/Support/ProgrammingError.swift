/// Stops the program for a mistake of the programmer: the message says what was wrong, where, and how to mend it.
func programmingError(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}

/// Stops for a change to a model that a coordinator has taken.
func immutableModelError(_ subject: String, key: String) -> Never {
    programmingError(
        """
        Can't modify an immutable model. \(subject), key '\(key)': the model is in use by a persistent store \
        coordinator. 
        """
            + "Change the model before it is given to a coordinator, or change a copy of it (copy()).")
}
