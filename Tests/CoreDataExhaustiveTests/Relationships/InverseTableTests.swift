import CoreData
import Testing

@Suite("Inverses of every kind of relationship")
struct InverseTableTests {
    @Test(
        "setting, adding, removing, replacing and deleting keeps both sides in step, whatever the context knew before",
        arguments: RelationshipShape.allCases, StartingState.allCases.sampled(2))
    func oneEvent(_ shape: RelationshipShape, _ state: StartingState) throws {
        for kind in TestRun.quick([StoreKind.sqlite], long: StoreKind.allCases) {
            try withStack(kind, model: shape.makeModel()) {
                try RelationshipRun(shape, state, $0).play(processing: false)
            }
        }
    }

    @Test(
        "it is the same when every step is an event of its own", arguments: RelationshipShape.allCases,
        [StartingState.new, .faults].suffix(TestRun.quick(1, long: 2)))
    func eventByEvent(_ shape: RelationshipShape, _ state: StartingState) throws {
        try withStack(.sqlite, model: shape.makeModel()) {
            try RelationshipRun(shape, state, $0).play(processing: true)
        }
    }
}
