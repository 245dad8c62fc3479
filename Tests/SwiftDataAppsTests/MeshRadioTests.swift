import Foundation
import SwiftData
import Testing

@Suite struct MeshRadioTests {
    let store: AppStore

    init() throws {
        store = try AppStore(
            MeshNode.self, NodePosition.self, Telemetry.self, MeshChannel.self, MeshPacket.self)
    }

    private func fill(_ context: ModelContext) {
        let base = MeshNode(number: 0x0000_00FF_1234, longName: "Base", shortName: "BA")
        base.role = .router
        base.flags = [.licensed, .lowBattery]
        base.publicKey = Data([9, 8, 7])
        base.signalToNoise = -7.25
        let relay = MeshNode(number: 4_294_967_295)
        let channel = MeshChannel(index: -1, name: "Long range")
        let direct = MeshPacket(packetID: .max, payload: Data("hi".utf8), receivedAt: day(1), from: base, to: relay)
        let broadcast = MeshPacket(packetID: 2, payload: Data(), receivedAt: day(2), from: relay)
        broadcast.hopLimit = .max
        channel.packets = [direct, broadcast]
        context.insert(channel)
        relay.positions.append(NodePosition(latitude: .min, longitude: .max, altitude: -3, time: day(1)))
        relay.positions.append(NodePosition(latitude: 481_234_567, longitude: 115_000_000, time: day(2)))
        relay.telemetries.append(Telemetry(kind: .environment, time: day(3), batteryLevel: 200, temperature: 21.5))
    }

    @Test func integersOfEachSizeAreRead() throws {
        let context = try store.relaunched(after: fill)
        let relay = try context.one(MeshNode.self, where: #Predicate { $0.number == 4_294_967_295 })
        let first = try requireValue(relay.positions.min { $0.time < $1.time })
        expectEqual(first.latitude, .min)
        expectEqual(first.longitude, .max)
        expectEqual(first.altitude, -3)
        try expectEqual(context.one(Telemetry.self).batteryLevel, 200)
        try expectEqual(context.one(MeshPacket.self, where: #Predicate { $0.hopLimit == 255 }).packetID, 2)
        try expectEqual(context.one(MeshChannel.self).index, -1)
    }

    @Test func enumerationOfANumberIsRead() throws {
        let context = try store.relaunched(after: fill)
        let base = try context.one(MeshNode.self, where: #Predicate { $0.longName == "Base" })
        expectEqual(base.role, .router)
        try expectEqual(context.one(Telemetry.self).kind, .environment)
    }

    @Test func optionSetIsRead() throws {
        let context = try store.relaunched(after: fill)
        let base = try context.one(MeshNode.self, where: #Predicate { $0.shortName == "BA" })
        expectEqual(base.flags, [.licensed, .lowBattery])
    }

    @Test func twoRelationshipsToOneClassStayApart() throws {
        let context = try store.relaunched(after: fill)
        let relay = try context.one(MeshNode.self, where: #Predicate { $0.number == 4_294_967_295 })
        expectEqual(relay.received.map(\.packetID), [.max])
        expectEqual(relay.sent.map(\.packetID), [2])
        expectEqual(relay.sent.first?.isBroadcast, true)
    }

    @Test func unsignedMaximumIsAsked() throws {
        let context = try store.relaunched(after: fill)
        let number = UInt32.max
        let packets = try context.fetch(FetchDescriptor<MeshPacket>(predicate: #Predicate { $0.packetID == number }))
        expectEqual(packets.map(\.payload), [Data("hi".utf8)])
    }

    @Test func defaultOfAComputedTextIsKept() throws {
        let context = try store.relaunched(after: fill)
        let relay = try context.one(MeshNode.self, where: #Predicate { $0.number == 4_294_967_295 })
        expectEqual(relay.longName, "Node ffffffff")
        expectEqual(relay.identifier, "!ffffffff")
        expectEqual(relay.latestPosition?.coordinate.latitude, 48.123_456_7)
    }

    @Test func deletedNodeLeavesPackets() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(MeshNode.self, where: #Predicate { $0.longName == "Base" }))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(MeshPacket.self), 2)
        try expectEqual(after.fetch(FetchDescriptor<MeshPacket>()).count { $0.from == nil }, 1)
    }

    @Test func modelActorInsertsAndUpdates() async throws {
        let container = try store.container()
        let receiver = MeshReceiver(modelContainer: container)
        let first = try await receiver.hear(77, name: "Old", at: day(1))
        let second = try await receiver.hear(77, name: "New", at: day(2))
        expectEqual(first, second)
        await expectEqual(receiver.name(of: first), "New")
        await expectEqual(receiver.heard, 2)
        try expectEqual(ModelContext(container).one(MeshNode.self).lastHeard, day(2))
    }

    @Test func insertOfAKnownNumberUpdatesTheNode() throws {
        let context = try store.relaunched(after: fill)
        context.insert(MeshNode(number: 4_294_967_295, longName: "Relay"))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(MeshNode.self), 2)
        try expectEqual(after.one(MeshNode.self, where: #Predicate { $0.longName == "Relay" }).number, 4_294_967_295)
    }
}
