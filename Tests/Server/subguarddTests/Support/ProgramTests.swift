import Testing

/// Everything that starts the real programs. One test after the other: each process has both cores of a small machine to
/// itself, and the tests of other targets have theirs.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum ProgramTests {}
