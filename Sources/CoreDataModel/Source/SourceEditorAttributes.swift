/// The attributes of source models that mean something to the editor or to class generation only. They are kept beside
/// the descriptions so that a source model is written as it was read.
enum SourceEditorAttributes {
    static let model = [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
        "macOSVersion",
        "iOSVersion", "name", "usedWithCloudKit", "usedWithSwiftData",
    ]
    static let entity = ["syncable", "codeGenerationType"]
    static let property = [
        "usesScalarValueType", "syncable", "inverseEntity", "defaultValueString", "minValueString", "maxValueString",
    ]
}
