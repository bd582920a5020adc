public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// Sets who bears which part of a subscription; nobody named ends the sharing.
    public func save(_ share: SubscriptionShare, at moment: Moment) throws {
        try write(at: moment) { unit in
            let subscription = try unit.subscriptions.load(share.subscriptionID)
            try unit.requirePeople(share.split.people)
            if !share.split.people.isEmpty { _ = try share.parts(of: subscription.price(on: moment.today)) }
            try unit.save(share)
        }
    }

    /// Who shares a subscription; nil when nobody does.
    public func share(of subscription: UUID) throws -> SubscriptionShare? {
        try read { try SubscriptionShare.find(subscription, in: $0) }
    }
}

extension UnitOfWork {
    func share(of subscription: UUID) throws -> SubscriptionShare? {
        try SubscriptionShare.find(subscription, in: session)
    }

    func save(_ share: SubscriptionShare) throws {
        let number = try subscriptions.requireNumber(of: share.subscriptionID)
        try EntityTables.shares.save(
            [.integer(number)],
            [
                .text(share.split.kind.rawValue), .text(PersonAmountText.text(share.split.people, share.split.weights)),
                .flag(share.isAccepted), .text(share.notes),
            ], in: self)
    }
}

extension SubscriptionShare {
    static func find(_ subscription: UUID, in session: any SQLSession) throws -> SubscriptionShare? {
        guard let number = try SubscriptionTable(session).number(of: subscription),
            let row = try EntityTables.shares.row([.integer(number)], in: session)
        else { return nil }
        var values = ValueReader(row.values)
        let split = try PersonAmountText.split(try values.text(), try values.text())
        guard !split.people.isEmpty else { return nil }
        var share = SubscriptionShare(subscriptionID: subscription, split: split)
        share.isAccepted = try values.flag()
        share.notes = try values.text()
        return share
    }
}
