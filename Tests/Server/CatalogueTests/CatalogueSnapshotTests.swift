import BackendTestKit
import Catalogue
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// Compares an incrementally updated snapshot with one that is read completely.
@Suite struct CatalogueSnapshotTests {
    private func expectSame(_ left: CatalogueSnapshot, _ right: CatalogueSnapshot) {
        #expect(left.epoch == right.epoch)
        #expect((left.revision, left.horizon) == (right.revision, right.horizon))
        #expect(left.items == right.items)
        #expect(left.tombstones == right.tombstones)
    }

    @Test(arguments: SeededRandom.seeds(3, of: 6)) func aSnapshotThatIsFollowedIsTheSameAsOneThatIsRead(seed: UInt64)
        throws
    {
        let fixture = try BackendFixture()
        let catalogue = CatalogueStore(context: fixture.context)
        var random = SeededRandom(seed: seed)
        var followed = try catalogue.loadSnapshot()
        var gone: [UUID] = []
        for step in 0..<120 {
            let items = try catalogue.loadSnapshot().items
            let item = items.randomElement(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2: try catalogue.insert(.sample("S \(step)", slug: "s-\(step)"), id: nil, by: .editor)
            case 3:
                guard let item else { continue }
                try catalogue.update(item.id, ifRevision: nil, by: .editor) { item in
                    var draft = item.draft
                    draft.slug = "t-\(step)"
                    return draft
                }
            case 4:
                guard let item else { continue }
                try catalogue.delete(item.id, ifRevision: nil, by: .editor)
                gone.append(item.id)
            case 5:
                guard let item, let other = items.last, other.id != item.id,
                    other.aliases.count + item.aliases.count < 15
                else { continue }
                try catalogue.merge([other.id], into: item.id, ifRevision: nil, by: .editor)
                gone.append(other.id)
            case 6:
                guard let id = gone.popLast() else { continue }
                let logos = LogoTable(store: fixture.store)
                _ = try catalogue.undo(nil, of: id, ifRevision: nil, by: .editor, logos: logos)
            default:
                fixture.now = fixture.now.adding(days: 1)
                if Bool.random(using: &random) { try catalogue.purgeTombstones(olderThan: fixture.now) }
            }
            if Bool.random(using: &random) {
                followed = try catalogue.loadSnapshot(after: followed)
                expectSame(followed, try catalogue.loadSnapshot())
            }
        }
        expectSame(try catalogue.loadSnapshot(after: followed), try catalogue.loadSnapshot())
    }
}
