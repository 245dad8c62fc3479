import CoreDataModel
import OpenCoreData

/// A model as text for a person: what `coredata model show` prints.
struct ModelOutline {
    let model: NSManagedObjectModel

    var lines: [String] {
        var lines: [String] = []
        let identifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        if !identifiers.isEmpty { lines.append("Version identifiers: \(identifiers.joined(separator: ", "))") }
        lines.append("Checksum: \(model.versionChecksum)")
        lines.append("Entities: \(model.entities.count)")
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            lines.append("")
            lines += EntityOutline(entity: entity).lines
        }
        lines += section("Configurations", configurations)
        lines += section("Fetch requests", fetchRequests)
        lines += section(
            "Localization", (model.localizationDictionary ?? [:]).map { "\($0.key) = \($0.value)" }.sorted())
        return lines
    }

    private var configurations: [String] {
        model.configurations.sorted().map { name in
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
            return "\(name): \(members.joined(separator: ", "))"
        }
    }

    private var fetchRequests: [String] {
        model.fetchRequestTemplatesByName.sorted { $0.key < $1.key }.map { name, request in
            "\(name): \(NSManagedObjectModel.text(of: request))"
        }
    }

    private func section(_ title: String, _ members: [String]) -> [String] {
        members.isEmpty ? [] : ["", "\(title):"] + members.map { "  \($0)" }
    }
}
