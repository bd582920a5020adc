import SubGuardDomain
import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("strava", "strvaa", 1), ("netflix", "netfix", 1), ("kitten", "sitting", 3),
        ("ca", "abc", 3), ("abcd", "badc", 2),
    ])
    func countsChanges(_ left: String, _ right: String, _ distance: Int) {
        #expect(EditDistance.between(Array(left), Array(right)) == distance)
        #expect(EditDistance.between(Array(right), Array(left)) == distance)
    }

    /// Every text of up to four letters of two.
    @Test func tellsOneChangeAsTheDistanceDoes() {
        var texts: [[Int]] = [[]]
        for _ in 0..<4 { texts += texts.flatMap { [$0 + [0], $0 + [1]] } }
        texts = Array(Set(texts))
        for left in texts {
            for right in texts {
                #expect(EditDistance.isOne(left, right) == (EditDistance.between(left, right) == 1), "\(left) \(right)")
            }
        }
    }
}
