import Testing

/// All suites that start the real programs. Serialised, so that each process has both cores of a small machine, and
/// tests of other targets are not slowed.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum ProgramTests {}
