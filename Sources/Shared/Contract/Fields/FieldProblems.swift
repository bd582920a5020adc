package import JSONWire

/// Why a body is not what its call takes: at least one fault, in the order in which they were met.
public struct FieldProblems: Error, Sendable, Hashable {
    /// The first faults, at most 100.
    public let problems: [Problem.FieldProblem]
    /// How many more there are.
    public let omitted: Int

    init(_ faults: FaultList<Problem.FieldProblem>) {
        problems = Array(faults)
        omitted = faults.omitted
    }

    /// The same for a reader that collects faults of several parts.
    package var faults: FaultList<Problem.FieldProblem> {
        var faults = FaultList<Problem.FieldProblem>()
        for problem in problems { faults.note(problem) }
        faults.count(omitted)
        return faults
    }
}
