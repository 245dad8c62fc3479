/// The source of a model with albums and songs, as Xcode writes it.
package enum MusicSourceModel {
    package static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" \
        systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="">
            <entity name="Album" representedClassName="Album" syncable="YES" codeGenerationType="class">
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="songs" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Song" \
        inverseName="album" inverseEntity="Song"/>
            </entity>
            <entity name="Song" representedClassName="Song" syncable="YES" codeGenerationType="class">
                <attribute name="length" optional="YES" attributeType="Double" defaultValueString="0.0" \
        usesScalarValueType="YES"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Album" inverseName="songs" inverseEntity="Album"/>
            </entity>
        </model>
        """
}
