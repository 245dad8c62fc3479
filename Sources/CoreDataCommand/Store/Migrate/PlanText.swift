// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

extension MigrationRoute {
    /// A line for each step: the version that it leads to, and how.
    ///
    /// - Parameters:
    ///   - destination: the name of the destination.
    ///   - details: what is known of a step besides.
    func lines(destination: String, details: (Int) -> String? = { _ in nil }) -> [String] {
        steps.enumerated().map { index, step in
            let way: String =
                switch step.way {
                case .inferred: "lightweight"
                case .mappingModel(let mapping):
                    "mapping model \(mapping.name)"
                        + (mapping.policies.isEmpty
                            ? "" : ", with the program's \(mapping.policies.joined(separator: ", "))")
                }
            let name = step.version?.text ?? destination
            return "\(index + 1). to \(name): \(way)" + (details(index).map { "; \($0)" } ?? "")
        }
    }
}

extension MigrationRoute.KnownMapping {
    /// The names of the policy classes, which belong to a program.
    var policies: [String] {
        let mappings: [NSEntityMapping] = model.entityMappings
        let names = mappings.compactMap(\.entityMigrationPolicyClassName)
        return Set(names).filter { !$0.isEmpty && $0 != "NSEntityMigrationPolicy" }.sorted()
    }
}
