import CoreData
import CoreDataSync
import CoreDataSyncWire
import Foundation
import TestSupport

/// A device of a history about a part of sync: its two stores, and the process of its replica.
class SimulatedDevice {
    let app: SimulatedStore
    let side: SimulatedStore
    private(set) var replica: SyncReplica
    /// The number of steps after which the process ends; nil if it doesn't.
    var stepsToCrash: Int?
    private let common: () -> SyncReplica.Settings

    /// - Parameter settings: makes what all devices of the history have in common.
    init(_ app: SimulatedStore, _ side: SimulatedStore, settings: @escaping () -> SyncReplica.Settings) throws {
        (self.app, self.side, common) = (app, side, settings)
        replica = try SyncReplica(app.coordinator, side: side.coordinator)
    }

    func settings() -> SyncReplica.Settings {
        var settings = common()
        settings.step = { [unowned self] _ in
            guard let steps = stepsToCrash else { return }
            stepsToCrash = steps > 0 ? steps - 1 : nil
            if steps == 0 { throw SimulatedCrash() }
        }
        return settings
    }

    /// Starts the process: nothing but the stores is left of an earlier one.
    func start() throws {
        replica = try SyncReplica(app.coordinator, side: side.coordinator, settings: settings())
        try replica.resume()
    }

    /// Does something, and starts the process again if it ends meanwhile.
    func run(_ body: (SyncReplica) throws -> Void) throws {
        do {
            try body(replica)
        } catch is SimulatedCrash {
            stepsToCrash = nil
            try start()
        }
    }
}

/// A message on its way between a device of a history and the server.
struct SimulatedMessage {
    let device: Int
    let request: SyncRequest
    var response: SyncResponse?
}

/// A history about a part of sync.
protocol FeatureSimulation: AnyObject {
    associatedtype Step
    associatedtype Device: SimulatedDevice

    /// The server's store.
    var store: SimulatedStore { get }
    var clock: SimulatedClock { get }
    var devices: [Device] { get }
    var messages: [SimulatedMessage] { get set }
    /// The failures after which a device tries again.
    var retriedFailures: [SyncFailure.Reason] { get }

    func run(_ step: Step) throws
    /// Lets the server answer a request of a device, and checks the answer.
    func answer(_ request: SyncRequest, of device: Device) throws -> SyncResponse
    /// Called before all become quiet, and after that.
    func prepareEnd() throws
    func checkEnd() throws
    /// The first difference between a device and what it should have; nil if there is none.
    func difference() throws -> String?
}

extension FeatureSimulation {
    /// Runs the steps, lets all devices become quiet, and compares.
    func run(_ steps: [Step]) throws {
        defer { try? store.remove() }
        for (number, step) in steps.enumerated() {
            do {
                clock.now += 1
                try run(step)
            } catch {
                throw Finding("At step \(number), \(step): \(error)")
            }
        }
        do {
            try settle()
        } catch let finding as Finding {
            throw finding
        } catch {
            throw Finding("While all become quiet: \(error)")
        }
    }

    func device(_ index: Int) -> Device { devices[index % devices.count] }

    // MARK: Messages

    func send(_ index: Int, _ kind: Request) throws {
        let index = index % devices.count
        try devices[index].run { replica in
            guard let request = try kind == .pull ? replica.pullRequest() : replica.pushRequest() else { return }
            messages.append(SimulatedMessage(device: index, request: request))
        }
    }

    /// Lets a message arrive: the server answers a request, or a device gets an answer.
    ///
    /// - Parameter isDoubled: whether the message stays on its way, too.
    func deliver(_ index: Int, isDoubled: Bool) throws {
        guard !messages.isEmpty else { return }
        let index = index % messages.count
        var message = messages[index]
        if !isDoubled { messages.remove(at: index) }
        guard message.response == nil else { return try receive(message) }
        message.response = try answer(message.request, of: devices[message.device])
        messages.append(message)
    }

    func lose(_ index: Int) { if !messages.isEmpty { messages.remove(at: index % messages.count) } }

    private func receive(_ message: SimulatedMessage) throws {
        guard let response = message.response else { return }
        let retried = retriedFailures
        try devices[message.device].run { replica in
            do {
                try replica.receive(response, to: message.request)
            } catch let failure as SyncFailure where retried.contains(failure.reason) {
                // The device tries again.
            }
        }
    }

    // MARK: The end

    /// Lets all devices exchange everything, without faults, and compares.
    private func settle() throws {
        messages = []
        for device in devices { device.stepsToCrash = nil }
        try prepareEnd()
        let rounds = 40
        for round in 0..<rounds {
            var isQuiet = true
            for (index, device) in devices.enumerated() {
                var hasPages = true
                while hasPages {
                    if let push = try device.replica.pushRequest() { try exchange(push, index) }
                    let response = try exchange(try device.replica.pullRequest(), index)
                    // Each page but the last one has objects, so that there is an end.
                    hasPages = if case .changes(let changes) = response { !changes.isLast } else { false }
                }
                if try !device.replica.isQuiet() { isQuiet = false }
            }
            if isQuiet, try difference() == nil { return try checkEnd() }
            if round == rounds - 1 { throw Finding(try difference() ?? "A device isn't quiet after \(rounds) rounds.") }
        }
    }

    @discardableResult
    private func exchange(_ request: SyncRequest, _ device: Int) throws -> SyncResponse {
        clock.now += 1
        let response = try answer(request, of: devices[device])
        try receive(SimulatedMessage(device: device, request: request, response: response))
        return response
    }
}

extension SeededGenerator {
    /// A UUID of the next numbers.
    mutating func uuid() -> UUID {
        let (high, low) = (next(), next())
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
