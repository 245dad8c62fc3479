// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// CloudKit's mirror in the diagnosis.
extension StoreDiagnosis {
    var cloudKitLines: [String] {
        guard let cloudKit else {
            return isOnServer || kindInMemory != nil
                ? [] : ["CloudKit: not examined, since the database is damaged"]
        }
        guard cloudKit.isMirrored else { return ["CloudKit: no tables of a mirror"] }
        let (records, zones) = (cloudKit.recordCount, cloudKit.zoneCount)
        let problems = cloudKit.problems
        var lines = [
            "CloudKit: a mirror with \(Wording.count(records, "record")) in \(Wording.count(zones, "zone")), "
                + (problems.isEmpty ? "no problems found" : Wording.count(problems.count, "problem"))
        ]
        for finding in problems + cloudKit.notes { lines += ["  \(finding.text)", "    \(finding.meaning)"] }
        if !cloudKit.comparesObjects {
            lines.append("  The records aren't compared with the objects, without the model that made the store.")
        }
        return lines
    }

    var repairLines: [String] {
        guard let repair else { return [] }
        let work =
            repair.changed == 0
            ? "nothing was to be mended" : "\(Wording.count(repair.changed, "change")) in CloudKit's mirror"
        return ["Copy: \(repair.copy), \(work)"]
    }
}

/// The JSON form of the findings about CloudKit's mirror.
struct CloudKitDocument: Encodable {
    struct Finding: Encodable {
        let kind: String
        let table: String
        let count: Int
        let examples: [Example]
        let text: String
        let meaning: String

        init(_ finding: CloudKitFinding) {
            kind = finding.kind.rawValue
            table = finding.table
            count = finding.count
            examples = finding.examples.map(Example.init)
            text = finding.text
            meaning = finding.meaning
        }
    }

    struct Example: Encodable {
        let row: Int64
        let entityNumber: Int64?
        let entity: String?
        let primaryKey: Int64?
        let recordName: String?

        init(_ example: CloudKitFinding.Example) {
            row = example.row
            entityNumber = example.entityNumber
            entity = example.entity
            primaryKey = example.primaryKey
            recordName = example.recordName
        }
    }

    let mirrored: Bool
    let objectsCompared: Bool
    let records: Int64
    let zones: Int64
    let problems: [Finding]
    let notes: [Finding]

    init(_ report: CloudKitReport) {
        mirrored = report.isMirrored
        objectsCompared = report.comparesObjects
        records = report.recordCount
        zones = report.zoneCount
        problems = report.problems.map(Finding.init)
        notes = report.notes.map(Finding.init)
    }
}
