// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Examines CloudKit's mirror of a SQLite store without changing it.
package struct SQLiteCloudKitCheck {
    let mirror: SQLiteCloudKitMirror

    /// Examines the mirror of a store.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - model: the model that made the store; nil if it isn't known: records aren't compared with objects then.
    /// - Throws: 259 for a damaged file, and errors of opening it.
    package static func report(at path: String, model: NSManagedObjectModel?) throws -> CloudKitReport {
        try SQLiteStoreFile.withReader(at: path) { connection in
            try connection.restrictForeignSchema()
            return try report(on: connection, model: model)
        }
    }

    static func report(on connection: SQLiteConnection, model: NSManagedObjectModel?) throws -> CloudKitReport {
        guard let mirror = try SQLiteCloudKitMirror(connection, schema(on: connection, model)) else {
            return CloudKitReport()
        }
        return try SQLiteCloudKitCheck(mirror: mirror).report()
    }

    /// The schema of a file; nil if its model isn't known, and for a file with contradicting numbers of entities.
    static func schema(on connection: SQLiteConnection, _ model: NSManagedObjectModel?) throws -> SQLSchema? {
        guard let model else { return nil }
        let metadata = try SQLiteStoreMetadata.read(on: connection)
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary) ?? [:]
        do {
            return try SQLSchema.ofFile(connection, madeBy: model, versionHashes: hashes)
        } catch let error as NSError where error.userInfo[SQLiteEntityNumbers.entityKey] != nil {
            // The check of the store reports it.
            return nil
        }
    }

    func report() throws -> CloudKitReport {
        var report = CloudKitReport(isMirrored: true, comparesObjects: mirror.schema != nil)
        report.recordCount = try mirror.count(SQLiteCloudKitMirror.records)
        report.zoneCount = try mirror.count(SQLiteCloudKitMirror.zones)
        report.findings = mirror.foreign.map {
            CloudKitFinding(kind: .foreignTable, table: $0.name, count: 1, examples: [], detail: $0.reason)
        }
        if try mirror.isEmpty {
            report.findings.append(
                CloudKitFinding(
                    kind: .emptyMirror, table: SQLiteCloudKitMirror.records, count: mirror.tables.count, examples: [],
                    detail: ""))
            return report
        }
        report.findings += try findings(mirror.recordRules + mirror.rowRules())
        report.findings += try mirror.lowHighestKeys().map { table, highest, known in
            CloudKitFinding(
                kind: .lowHighestKey, table: table.name, count: 1, examples: [], detail: "\(highest), not \(known)")
        }
        report.findings += try findings(mirror.waitingRules) + mirror.objectsWithoutRecord()
        return report
    }

    /// The findings of rules. The tables of hierarchies have a rule each, and one finding.
    private func findings(_ rules: [SQLiteCloudKitRule]) throws -> [CloudKitFinding] {
        var findings: [CloudKitFinding] = []
        for rule in rules {
            let count = try rule.count(on: mirror.connection)
            guard count > 0 else { continue }
            let examples = try rule.examples(in: mirror)
            if let last = findings.last, last.kind == rule.kind, last.table == rule.table.name,
                last.detail == rule.detail
            {
                findings[findings.count - 1] = CloudKitFinding(
                    kind: rule.kind, table: rule.table.name, count: last.count + count,
                    examples: Array((last.examples + examples).prefix(SQLiteStoreCheck.keyLimit)), detail: rule.detail)
            } else {
                findings.append(
                    CloudKitFinding(
                        kind: rule.kind, table: rule.table.name, count: count, examples: examples, detail: rule.detail)
                )
            }
        }
        return findings
    }
}
