/// A way out for alerts. The raw value is its name on the wire and in the store.
package enum AlertChannel: String, Sendable, Hashable, CaseIterable {
    case slack
    case email
    case webhook
}
