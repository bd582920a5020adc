import SubGuardDomain
import TestKit
import Testing

@Suite struct PurchaseTests {
    private static let start = UTCInstant(millisecondsSinceEpoch: 1_709_164_800_000)  // 29 February 2024

    private func day(_ number: Int) -> UTCInstant { Self.start.adding(days: number) }

    private func period(
        from: Int = 0, to: Int? = 30, signed: Int? = nil, revoked: Int? = nil, refund: Bool = true,
        shared: Bool = false, upgraded: Bool = false
    ) -> PurchaseTransaction {
        PurchaseTransaction(
            productID: "premium", isFamilyShared: shared, purchasedAt: day(from), expiresAt: to.map(day),
            revokedAt: revoked.map(day), revocation: revoked.map { _ in refund ? .refund : .familySharing },
            isUpgraded: upgraded, signedAt: day(signed ?? from))
    }

    private func counts(_ applied: Bool, _ sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(applied, sourceLocation: sourceLocation)
    }

    private func isIgnored(_ applied: Bool, _ sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!applied, sourceLocation: sourceLocation)
    }

    @Test func isActiveToTheMillisecondOfItsEnd() {
        let purchase = Purchase(transaction: period())
        #expect(purchase.status(at: day(30).adding(milliseconds: -1)) == .active)
        #expect(purchase.status(at: day(30)) == .expired)
        #expect(purchase.end(at: day(31)) == day(30))
        let lasting = Purchase(transaction: period(to: nil))
        #expect(lasting.status(at: .latest) == .active)
        #expect(lasting.end(at: .latest) == nil)
    }

    @Test func goesThroughGraceAndRetry() {
        var purchase = Purchase(transaction: period())
        let renewal = PurchaseRenewal(graceExpiresAt: day(46), isInBillingRetry: true, signedAt: day(30))
        counts(purchase.apply(.other, period(signed: 30), renewal: renewal, signedAt: day(30)))
        #expect(purchase.status(at: day(29)) == .active)
        #expect(purchase.status(at: day(45)) == .gracePeriod)
        #expect(purchase.end(at: day(45)) == day(46))
        #expect(purchase.status(at: day(46)) == .billingRetry)
        #expect(purchase.status(at: day(90)) == .expired)
        // A renewal resets all of that.
        counts(purchase.apply(.other, period(from: 50, to: 80), renewal: nil, signedAt: day(50)))
        #expect(purchase.status(at: day(79)) == .active)
        #expect(purchase.status(at: day(80)) == .expired)
    }

    @Test(arguments: [
        (PurchaseEvent.refunded, PurchaseStatus.refunded), (.revoked, .revoked), (.expired, .expired),
        (.gracePeriodExpired, .billingRetry), (.refundReversed, .active), (.other, .active),
    ])
    func followsTheKindOfANotification(_ event: PurchaseEvent, _ status: PurchaseStatus) {
        var purchase = Purchase(transaction: period())
        counts(purchase.apply(event, period(signed: 10), renewal: nil, signedAt: day(10)))
        #expect(purchase.status(at: day(10)) == status)
        #expect(Purchase(event, period(), renewal: nil, signedAt: day(10)).status(at: day(10)) == status)
    }

    @Test func takesBackARefundThatWasReversed() {
        var purchase = Purchase(transaction: period())
        purchase.apply(.refunded, period(signed: 5, revoked: 4), renewal: nil, signedAt: day(5))
        #expect(purchase.status(at: day(6)) == .refunded)
        #expect(purchase.end(at: day(6)) == day(4))
        // A transaction signed before the refund does not undo it.
        isIgnored(purchase.apply(period()))
        #expect(purchase.status(at: day(6)) == .refunded)
        purchase.apply(.refundReversed, period(signed: 7), renewal: nil, signedAt: day(7))
        #expect(purchase.status(at: day(8)) == .active)
    }

    /// The messages of a refund or its reversal carry a transaction signed on day 1 or 2, which does not reflect it.
    @Test(arguments: [PurchaseEvent.refunded, .revoked], [1, 2])
    func takesBackWhateverItCarries(_ event: PurchaseEvent, carried: Int) {
        let status: PurchaseStatus = event == .refunded ? .refunded : .revoked
        for isKnown in [false, true] {
            var purchase = Purchase(event, period(signed: carried), renewal: nil, signedAt: day(10))
            if isKnown {
                purchase = Purchase(transaction: period())
                counts(purchase.apply(event, period(signed: carried), renewal: nil, signedAt: day(10)))
            }
            isIgnored(purchase.apply(period(signed: 9)))
            #expect(purchase.status(at: day(11)) == status)
            #expect(purchase.end(at: day(11)) == day(10))
            counts(purchase.apply(.other, period(signed: 9), renewal: nil, signedAt: day(11)))
            #expect(purchase.status(at: day(11)) == status)
            var reversed = purchase
            counts(reversed.apply(.refundReversed, period(signed: 2), renewal: nil, signedAt: day(12)))
            isIgnored(reversed.apply(period(signed: 11, revoked: 10)))
            isIgnored(reversed.apply(event, period(signed: 9), renewal: nil, signedAt: day(11)))
            #expect(reversed.status(at: day(13)) == .active)
            counts(purchase.apply(period(signed: 11)))
            #expect(purchase.status(at: day(13)) == .active)
        }
    }

    /// A late refund counts unless a transaction signed since contradicts it.
    @Test func takesBackLateWhenNothingSignedSinceSaysOtherwise() {
        var purchase = Purchase(.other, period(signed: 8), renewal: nil, signedAt: day(11))
        counts(purchase.apply(.refunded, period(signed: 5), renewal: nil, signedAt: day(10)))
        #expect(purchase.status(at: day(12)) == .refunded)
        #expect(purchase.notifiedAt == day(11))
        var informed = Purchase(.other, period(signed: 11), renewal: nil, signedAt: day(11))
        isIgnored(informed.apply(.refunded, period(signed: 10), renewal: nil, signedAt: day(10)))
        #expect(informed.status(at: day(12)) == .active)
    }

    @Test func tellsFamilySharingAndUpgradesApart() {
        #expect(Purchase(transaction: period(revoked: 3, refund: false, shared: true)).status(at: day(4)) == .revoked)
        #expect(Purchase(transaction: period(shared: true)).status(at: day(4)) == .active)
        var purchase = Purchase(transaction: period(upgraded: true))
        #expect(purchase.status(at: day(4)) == .upgraded)
        counts(purchase.apply(period(from: 4, to: 34)))
        #expect(purchase.status(at: day(5)) == .active)
        // The old transaction, signed again later, is still the old one.
        isIgnored(purchase.apply(period(signed: 9, upgraded: true)))
        #expect(purchase.status(at: day(9)) == .active)
    }

    /// A refund of a past month does not affect the current one.
    @Test func leavesThePresentPeriodAloneWhenAnOldOneIsRefunded() {
        var purchase = Purchase(transaction: period(from: 30, to: 60))
        isIgnored(purchase.apply(.refunded, period(signed: 40, revoked: 39), renewal: nil, signedAt: day(40)))
        #expect(purchase.status(at: day(41)) == .active)
        #expect(purchase.notifiedAt == nil)
    }

    @Test func passesOverWhatWasSaidBeforeWhatIsKnown() {
        var purchase = Purchase(transaction: period())
        counts(purchase.apply(.other, period(from: 30, to: 60), renewal: nil, signedAt: day(30)))
        isIgnored(purchase.apply(.expired, period(signed: 29), renewal: nil, signedAt: day(29)))
        #expect(purchase.status(at: day(40)) == .active)
        // A device presented a transaction signed after the delayed notification.
        purchase.apply(period(from: 30, to: 60, signed: 50))
        counts(purchase.apply(.refunded, period(from: 30, to: 60, signed: 45), renewal: nil, signedAt: day(45)))
        #expect(purchase.status(at: day(51)) == .active)
    }

    /// Notifications with the complete state, in any order and duplicated, give the same result.
    @Test(arguments: 1...20)
    func comesToTheSameEndInAnyOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let told: [(PurchaseEvent, PurchaseTransaction, PurchaseRenewal?, Int)] = [
            (.other, period(signed: 0), nil, 0),
            (
                .other, period(signed: 30),
                PurchaseRenewal(graceExpiresAt: day(46), isInBillingRetry: true, signedAt: day(30)), 30
            ),
            (.other, period(from: 40, to: 70), PurchaseRenewal(signedAt: day(40)), 40),
            (.refunded, period(from: 40, to: 70, signed: 50, revoked: 49), PurchaseRenewal(signedAt: day(50)), 50),
            (.refundReversed, period(from: 40, to: 70, signed: 60), PurchaseRenewal(signedAt: day(60)), 60),
        ]
        let order = (told + told).shuffled(using: &random)
        var purchase = Purchase(order[0].0, order[0].1, renewal: order[0].2, signedAt: day(order[0].3))
        for (event, transaction, renewal, signed) in order.dropFirst() {
            purchase.apply(event, transaction, renewal: renewal, signedAt: day(signed))
        }
        #expect(purchase.status(at: day(65)) == .active)
        #expect(purchase.end(at: day(65)) == day(70))
        #expect(purchase.notifiedAt == day(60))
    }

    @Test func letsTheBestOfSeveralDecide() {
        let expired = Purchase(transaction: period())
        let short = Purchase(transaction: period(from: 31, to: 61))
        let long = Purchase(transaction: period(from: 31, to: 400))
        let lasting = Purchase(transaction: period(from: 1, to: nil))
        let refunded = Purchase(transaction: period(to: nil, revoked: 3))
        #expect(Purchase.deciding(among: [], at: day(40)) == nil)
        #expect(Purchase.deciding(among: [refunded, short, expired], at: day(40)) == short)
        #expect(Purchase.deciding(among: [short, long, expired], at: day(40)) == long)
        #expect(Purchase.deciding(among: [lasting, long], at: day(40)) == lasting)
        #expect(Purchase.deciding(among: [refunded, expired], at: day(40)) == expired)
    }

    @Test func knowsTheKindsOfNotifications() {
        #expect(PurchaseEvent(notificationType: "REFUND") == .refunded)
        #expect(PurchaseEvent(notificationType: "SOMETHING_NEW") == .other)
        #expect(PurchaseStatus.allCases.filter(\.isEntitled) == [.active, .gracePeriod])
    }
}
