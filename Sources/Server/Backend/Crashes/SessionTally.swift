/// Sessions, and how many of them ended badly.
package struct SessionTally: Sendable, Hashable {
    package var sessions: Int64
    package var crashed: Int64
    package var abnormal: Int64
    /// With an error at least, crashes among them.
    package var errored: Int64

    package init(sessions: Int64, crashed: Int64, abnormal: Int64 = 0, errored: Int64 = 0) {
        self.sessions = sessions
        self.crashed = crashed
        self.abnormal = abnormal
        self.errored = errored
    }
}
