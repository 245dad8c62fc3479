// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses
import CoreDataModel

/// `momc --generate SOURCE FOLDER`.
struct GenerateVerb {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws -> Int32 {
        let (source, folder) = try arguments.sourceAndDestination()
        let options = try options()
        do {
            let version = try SourceDocument(at: source).current
            let generator = ClassGenerator(model: version.model, options: options)
            let findings = generator.findings.filter { $0.severity == .error || !arguments.has(.noWarnings) }
            guard Output.report(findings.map { CompilerDiagnostic($0, path: version.file.path) }) else { return 1 }
            guard OutputFile.isFolder(folder) else { throw OutputFile.failure(folder, "the folder does not exist") }
            try OutputFile.write(generator.files().map { ($0.name, Data($0.text.utf8)) }, into: folder)
            return 0
        } catch {
            Output.report(CompilerDiagnostic(error, path: source.path))
            return 1
        }
    }

    private func options() throws -> ClassGenerationOptions {
        var options = ClassGenerationOptions()
        options.module = try arguments.module()
        options.includesManual = arguments.has(.includeManual)
        if let text = arguments.value(.style) { options.style = try Self.choice(text, of: .style) }
        if let text = arguments.value(.access) { options.access = try Self.choice(text, of: .access) }
        if let text = arguments.value(.swiftVersion) {
            guard let major = text.split(separator: ".").first.flatMap({ Int($0) }) else {
                throw UsageError("'\(text)' is no valid Swift version")
            }
            guard major >= 5 else {
                throw UsageError("classes can't be generated for Swift \(text). Use 5 or later")
            }
        }
        return options
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(_ text: String, of option: Option)
        throws -> Choice
    {
        guard let choice = Choice(rawValue: text) else {
            throw UsageError(
                """
                '\(text)' is no value of \(option.rawValue): \
                \(Choice.allCases.map(\.rawValue).joined(separator: ", "))
                """
            )
        }
        return choice
    }
}
