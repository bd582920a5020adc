/// How a session stands, in the words of the Sentry protocol.
package enum SessionStatus: String, Sendable, CaseIterable {
    case ok, exited, crashed, abnormal

    /// Nothing changes such a session any more.
    package var isFinal: Bool { self != .ok }
}
