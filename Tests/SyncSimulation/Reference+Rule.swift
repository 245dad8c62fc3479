extension Reference {
    /// A rule that can be inverted, so that a simulation must find that the engine doesn't do the same.
    enum Rule: String, CaseIterable {
        case latestWins = "the later of two changes wins"
        case serverWins = "with the policy server the first change wins"
        case clientWins = "with the policy client the last change wins"
        case sumsAdd = "with the policy sum differences are added"
        case refuses = "with the policy refuse the group is refused"
        case deleteWins = "a change of a deleted object is dropped"
        case revives = "with the policy revive a change of a deleted object needs the object"
        case newLife = "an object inserted again has a new life"
        case cascades = "a deleted note takes its comments along"
        case hookDecides = "with the policy `hook` the larger number wins, as the hook says"
        case denies = "a tag that a note has can't be deleted"
        case nullifies = "a deleted folder leaves its notes without one"
        case groupsAreWhole = "a refused group is refused whole"
        case membersMerge = "tags are added to and removed from those that the server has"
        case ordersMerge = "moves are made in the order that the server has"
        case namesAreUnique = "a tag inserted with the name of another one is that one"
        case clocksAreBounded = "a change from the future has the time of its arrival"
    }
}
