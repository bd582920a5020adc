import SubGuardDomain
import TestKit
import Testing

@Suite struct NameKeyTests {
    /// Names with the beginnings of others, of every length around the size of a key, and of letters with several
    /// bytes.
    @Test func ordersAsTheNamesDo() {
        var random = SeededRandom(seed: 7)
        let letters = ["a", "b", "Z", " ", "é", "日", "🎉", "\u{7F}"]
        var names = [
            "", "Abonnement 0001", "Abonnement 0002", "Abonnement 00010", "aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaab",
        ]
        for _ in 0..<300 {
            let count = Int(random.next() % 20)
            names.append((0..<count).map { _ in letters[Int(random.next() % UInt64(letters.count))] }.joined())
        }
        for left in names {
            for right in names {
                let (one, other) = (NameKey(left), NameKey(right))
                let order = Occurrence.nameOrder(left, right)
                // Equal keys leave the decision to the names.
                #expect(one == other || (one < other) == (order < 0), "\(left) \(right)")
                if order == 0 { #expect(one == other) }
            }
        }
    }
}
