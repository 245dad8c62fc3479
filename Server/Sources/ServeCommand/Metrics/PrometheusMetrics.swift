// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Foundation

/// The metrics of the process in the text format of Prometheus.
///
/// Names and dimensions of metrics may come from requests, as the method of one does: there are ``most`` series, and
/// further ones aren't counted.
final class PrometheusMetrics: MetricsFactory, @unchecked Sendable {
    // Sendable: the lock guards the series.

    /// The most series that are kept.
    let most: Int
    private let lock = NSLock()
    private var series: [Key: Series] = [:]

    init(most: Int = 1000) { self.most = most }

    private struct Key: Hashable {
        let name: String
        let dimensions: String
    }

    private func find(
        _ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind, unit: Double = 1
    ) -> Series {
        let texts = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }
        let key = Key(name: Self.name(label), dimensions: texts.joined(separator: ","))
        return lock.withLock {
            if let known = series[key], known.kind == kind { return known }
            let new = Series(kind, unit: unit)
            if series.count < most, series[key] == nil { series[key] = new }
            return new
        }
    }

    /// A name with the characters that the format allows.
    private static func name(_ text: String) -> String {
        let characters = text.unicodeScalars.prefix(100).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
        }
        return String(characters)
    }

    private static func escaped(_ text: String) -> String {
        text.prefix(200).replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n")
    }

    /// All series.
    ///
    /// - Parameter gauges: values of this moment, by their names.
    func text(gauges: KeyValuePairs<String, Double> = [:]) -> String {
        let known = lock.withLock { series }
        var lines: [String] = []
        for (name, members) in Dictionary(grouping: known, by: \.key.name).sorted(by: { $0.key < $1.key }) {
            guard let kind = members.first?.value.kind else { continue }
            lines.append("# TYPE \(name) \(kind.rawValue)")
            for (key, series) in members.sorted(by: { $0.key.dimensions < $1.key.dimensions }) where series.kind == kind
            {
                lines += series.lines(name, key.dimensions)
            }
        }
        for (name, value) in gauges { lines += ["# TYPE \(name) gauge", "\(name) \(value)"] }
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: The factory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, .counter)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        find(label, dimensions, aggregate ? .summary : .gauge)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions, .gauge)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find("\(label)_seconds", dimensions, .summary, unit: 1e9)
    }

    // Series outlive the objects that count: a total that begins again would be wrong.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// The numbers under one name with the same dimensions.
private final class Series: @unchecked Sendable {
    // Sendable: the lock guards the numbers.
    enum Kind: String { case counter, gauge, summary }

    let kind: Kind
    private let unit: Double
    private let lock = NSLock()
    private var (sum, count) = (0.0, 0)

    /// - Parameter unit: what is recorded for each unit that is shown.
    init(_ kind: Kind, unit: Double) {
        self.kind = kind
        self.unit = unit
    }

    private func add(_ value: Double) { lock.withLock { (sum, count) = (sum + value, count + 1) } }

    private func replace(_ value: Double) { lock.withLock { sum = value } }

    func lines(_ name: String, _ dimensions: String) -> [String] {
        let (total, number) = lock.withLock { (sum / unit, count) }
        let labels = dimensions.isEmpty ? "" : "{\(dimensions)}"
        guard kind == .summary else { return ["\(name)\(labels) \(total)"] }
        return ["\(name)_sum\(labels) \(total)", "\(name)_count\(labels) \(number)"]
    }
}

extension Series: CounterHandler, RecorderHandler, MeterHandler, TimerHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { lock.withLock { (sum, count) = (0, 0) } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { if kind == .gauge { replace(value) } else { add(value) } }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration)) }
    func set(_ value: Int64) { replace(Double(value)) }
    func set(_ value: Double) { replace(value) }
}
