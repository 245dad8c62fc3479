import Foundation
import SwiftData

/// The role of a node. The firmware sends its number.
public enum NodeRole: UInt8, Codable, Sendable {
    case client = 0
    case router = 2
    case sensor = 6
}

public struct RadioFlags: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let viaServer = RadioFlags(rawValue: 1)
    public static let licensed = RadioFlags(rawValue: 2)
    public static let lowBattery = RadioFlags(rawValue: 4)
}

@Model
public final class MeshNode {
    @Attribute(.unique) public var number: Int64
    public var longName: String
    public var shortName: String
    public var role: NodeRole = NodeRole.client
    public var hardware: Int16 = 0
    public var flags: RadioFlags = RadioFlags()
    @Attribute(.allowsCloudEncryption) public var publicKey: Data?
    public var lastHeard: Date?
    public var signalToNoise: Float = 0

    @Relationship(deleteRule: .cascade, inverse: \NodePosition.node) public var positions: [NodePosition] = []
    @Relationship(deleteRule: .cascade, inverse: \Telemetry.node) public var telemetries: [Telemetry] = []
    @Relationship(inverse: \MeshPacket.from) public var sent: [MeshPacket] = []
    @Relationship(inverse: \MeshPacket.to) public var received: [MeshPacket] = []

    public init(number: Int64, longName: String = "", shortName: String = "") {
        self.number = number
        self.longName = longName.isEmpty ? String(format: "Node %08x", number) : longName
        self.shortName = shortName
    }

    public var identifier: String { String(format: "!%08x", number) }

    public var latestPosition: NodePosition? {
        positions.max { $0.time < $1.time }
    }
}

@Model
public final class NodePosition {
    public var latitude: Int32
    public var longitude: Int32
    public var altitude: Int32?
    public var time: Date
    public var satellites: Int8 = 0
    public var node: MeshNode?

    public init(latitude: Int32, longitude: Int32, altitude: Int32? = nil, time: Date) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.time = time
    }

    @Transient public var coordinate: (latitude: Double, longitude: Double) {
        (Double(latitude) * 1e-7, Double(longitude) * 1e-7)
    }
}

@Model
public final class Telemetry {
    public enum Kind: Int32, Codable, Sendable {
        case device
        case environment
    }

    public var kind: Kind
    public var time: Date
    public var batteryLevel: UInt8?
    public var voltage: Float?
    public var temperature: Float?
    public var uptime: UInt32 = 0
    public var node: MeshNode?

    public init(kind: Kind, time: Date, batteryLevel: UInt8? = nil, voltage: Float? = nil, temperature: Float? = nil) {
        self.kind = kind
        self.time = time
        self.batteryLevel = batteryLevel
        self.voltage = voltage
        self.temperature = temperature
    }
}

@Model
public final class MeshChannel {
    #Unique<MeshChannel>([\.index])

    public var index: Int16
    public var name: String
    public var key: Data
    public var uplinkEnabled = false
    public var downlinkEnabled = false
    @Relationship(deleteRule: .nullify, inverse: \MeshPacket.channel) public var packets: [MeshPacket] = []

    public init(index: Int16, name: String, key: Data = Data([1])) {
        self.index = index
        self.name = name
        self.key = key
    }
}

@Model
public final class MeshPacket {
    public var packetID: UInt32
    public var payload: Data
    public var receivedAt: Date
    public var hopLimit: UInt8 = 3
    public var acknowledged: Bool?
    public var from: MeshNode?
    public var to: MeshNode?
    public var channel: MeshChannel?

    public init(packetID: UInt32, payload: Data, receivedAt: Date, from: MeshNode? = nil, to: MeshNode? = nil) {
        self.packetID = packetID
        self.payload = payload
        self.receivedAt = receivedAt
        self.from = from
        self.to = to
    }

    public var isBroadcast: Bool { to == nil }
}

/// Writes what the radio hears, away from the main actor.
@ModelActor
public actor MeshReceiver {
    public private(set) var heard = 0

    public func hear(_ number: Int64, name: String, at date: Date) throws -> PersistentIdentifier {
        let descriptor = FetchDescriptor<MeshNode>(predicate: #Predicate { $0.number == number })
        let node: MeshNode
        if let known = try modelContext.fetch(descriptor).first {
            node = known
            node.longName = name
        } else {
            node = MeshNode(number: number, longName: name)
            modelContext.insert(node)
        }
        node.lastHeard = date
        try modelContext.save()
        heard += 1
        return node.persistentModelID
    }

    public func name(of identifier: PersistentIdentifier) -> String? {
        self[identifier, as: MeshNode.self]?.longName
    }
}
