/// Gives up trees one object after the other: each is released while its own parts are still held here, so that no
/// release leads to the next.
///
/// It keeps arrays of objects, since a part beside its object would be a second reference to it.
struct TreeRelease {
    private var expressions: [NSExpression] = []
    private var predicates: [NSPredicate] = []

    mutating func add(_ parts: [TreePart]) {
        for part in parts {
            switch part {
            case .expression(let expression): expressions.append(expression)
            case .predicate(let predicate): predicates.append(predicate)
            }
        }
    }

    mutating func release() {
        while true {
            if !expressions.isEmpty {
                releaseExpression()
            } else if !predicates.isEmpty {
                releasePredicate()
            } else {
                return
            }
        }
    }

    private mutating func releaseExpression() {
        var expression = expressions.removeLast()
        if isKnownUniquelyReferenced(&expression) { add(expression.node.parts) }
    }

    private mutating func releasePredicate() {
        var predicate = predicates.removeLast()
        if isKnownUniquelyReferenced(&predicate) { add(TreePart.predicate(predicate).parts) }
    }
}
