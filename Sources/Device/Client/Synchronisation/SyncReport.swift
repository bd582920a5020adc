/// How a synchronisation went, part by part.
public struct SyncReport: Sendable, Hashable {
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case catalogue, suggestions, erasure, analytics, premium
    }

    public enum Result: String, Sendable, Hashable {
        case done
        /// There was nothing to do, or it may not be done; no request was made.
        case unneeded
        case failed
    }

    public struct Part: Sendable, Hashable {
        public var name: Name
        public var result: Result
        /// A stable word that says more, such as `fresh`, or the code of the failure.
        public var reason: String?
        /// Of a part that failed, also where it has counts because some of it was done.
        public var error: ClientError?
        /// Such as `accepted`, in the order in which they are shown.
        public var counts: [Count]
    }

    public struct Count: Sendable, Hashable {
        public var name: String
        public var value: Int
    }

    public var parts: [Part] = []

    public var hasFailed: Bool { parts.contains { $0.result == .failed } }
}
