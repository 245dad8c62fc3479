// SPDX-License-Identifier: Apache-2.0

/// The order of the versions in a plan.
enum PlanOrder {
    static func problems(in schemas: [any VersionedSchema.Type]) -> [String] {
        var problems: [String] = []
        var seen: Set<ObjectIdentifier> = []
        var last: (any VersionedSchema.Type)?
        for schema in schemas {
            let name = PlanVersion.name(of: schema)
            guard seen.insert(ObjectIdentifier(schema)).inserted else {
                problems.append("The version \(name) is twice in schemas. Name each version once.")
                continue
            }
            if let last, last.versionIdentifier >= schema.versionIdentifier {
                let other = PlanVersion.name(of: last)
                problems.append(
                    last.versionIdentifier == schema.versionIdentifier
                        ? "The versions \(other) and \(name) have one versionIdentifier. Give each its own."
                        : "The version \(name) comes after \(other) in schemas. List the versions in ascending order.")
            }
            last = schema
        }
        return problems
    }
}
