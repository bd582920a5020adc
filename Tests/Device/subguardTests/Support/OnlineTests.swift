import Testing

/// Everything that starts a server. One test after the other, so that they share the machine with no more than the rest.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum OnlineTests {}
