struct Comparison {
    let predicate: NSComparisonPredicate
    init(_ predicate: NSComparisonPredicate) { self.predicate = predicate }
    func holds(left: Any?, right: Any?) -> Bool {
        switch predicate.predicateOperatorType {
        case .equalTo: Values.equal(left, right)
        case .notEqualTo: !Values.equal(left, right)
        default: false
        }
    }
}
