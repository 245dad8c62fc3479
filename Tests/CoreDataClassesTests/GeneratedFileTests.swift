import CoreDataClasses
import Testing

@Test func twoFilesOfTheSameNameAndTextAreEqual() {
    #expect(GeneratedFile(name: "A.swift", text: "\n") == GeneratedFile(name: "A.swift", text: "\n"))
}
