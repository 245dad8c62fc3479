/// Waits until a condition holds. It is tested at once, and after each change of what it reads from observable objects.
@MainActor
func waitUntil(_ condition: @escaping @MainActor () -> Bool) async {
    while true {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let holds = withObservationTracking {
            condition()
        } onChange: {
            continuation.finish()
        }
        if holds { return }
        for await _ in changes {}
    }
}
