import CoreDataModel

/// The strings file beside a compiled model.
struct StringsKind: InputKind {
    let name = "strings"
    let form = MutationForm.text([
        "Entity/", "Property/", "ErrorString/", "\\U00e9", "\\UD800", "/*", "*/", "//", "=", ";", "{", "}",
    ])

    func samples() throws -> [Data] {
        let text = """
            /* Names */
            "Entity/Person" = "Persönlichkeit";
            "Property/name/Entity/Person" = "Name \\"of\\" it\\n\\U00e9"; // comment
            Property/age = "Age";
            "ErrorString/%@ is a required value." = "%@ fehlt.";
            """
        let list = PropertyListValue.dictionary(["Entity/Person": .string("Person"), "Property/age": .string("Alter")])
        let utf16 = text.data(using: .utf16) ?? Data()
        return [Data(text.utf8), utf16, PropertyListXML.data(list), BinaryPropertyListWriter.write(list)]
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("MutantModel.strings")
        try mutant.write(to: file)
        try ModelArchive.encode(NSManagedObjectModel(), as: .compiled).write(
            to: folder.appendingPathComponent("Mutant.mom"))
        let read = try self.read(naming: file) {
            try NSManagedObjectModel.load(contentsOf: folder.appendingPathComponent("Mutant.mom"))
        }
        return read == nil ? .refused : .accepted
    }
}
