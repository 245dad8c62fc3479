// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// All problems, as `coredata model lint` finds them, with links to the elements that they concern.
struct ProblemsPart {
    let parts: EditorParts

    var html: HTML {
        let findings = parts.snapshot.model.findings
        guard !findings.isEmpty else {
            return "<h1>Problems</h1><p>None. ‘coredata model lint’ says the same of the saved file.</p>"
        }
        let rows = findings.map { finding -> HTML in
            let isError = finding.severity == .error
            let place = path(of: finding)
            let link = parts.link(
                place, "<bdi>\(place.steps.map { $0.name ?? $0.kind }.joined(separator: "."))</bdi>", tab: .list)
            return """
                <tr><td><span class="mark \(finding.severity.rawValue)" aria-hidden="true">\
                \(isError ? "✖" : "⚠")</span> \
                \(finding.severity.rawValue)</td><th scope="row">\(place.steps.isEmpty ? "model" : link)</th>\
                <td>\(finding.message).</td></tr>
                """
        }
        return """
            <h1>Problems</h1><div class="scroll" tabindex="0" role="region" aria-label="Problems"><table><thead><tr>
            <th scope="col">Severity</th><th scope="col">Where</th><th scope="col">Problem</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    /// The element of a finding, or the nearest that contains it.
    private func path(of finding: ModelFinding) -> ModelPath {
        let root = parts.snapshot.root
        guard let name = finding.entity, let entity = parts.snapshot.entity(name) else {
            let named = root.children.first {
                ["fetchRequest", "configuration", "composite"].contains($0.name) && $0["name"] == finding.key
            }
            return named.map { ModelPath.model.child($0.name, finding.key ?? "") } ?? .model
        }
        let part = entity.children.first {
            $0["name"] == finding.key && (SourceTree.propertyKinds.contains($0.name) || $0.name == "fetchIndex")
        }
        return part.map { ModelPath.entity(name).child($0.name, finding.key ?? "") } ?? .entity(name)
    }
}
