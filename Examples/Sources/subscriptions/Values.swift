import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

nonisolated extension Moment {
    /// The present time of the device.
    static var current: Moment { Moment(now: UTCInstant(Date()), zone: .current) }
}

/// An error for the user.
nonisolated func message(_ error: any Error, _ language: DisplayLanguage) -> String {
    switch error {
    case let error as DeviceStoreError: error.displayText(language)
    case let error as ClientError: error.displayText(language)
    default: error.localizedDescription
    }
}

/// The yearly cost of one scope in the home currency; nil without a home currency.
nonisolated func yearlyCost(_ scope: SubscriptionScope, _ store: DeviceStore, at moment: Moment) throws -> HomeSum? {
    let rows = try store.totals.costs(at: moment).flatMap(\.scopes).filter { $0.scope == scope }
    return try store.rates.coming(rows.map(\.annual), at: moment)
}
