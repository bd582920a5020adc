/// Why a body is not what its call takes: at least one fault, in the order in which they were met.
public struct FieldProblems: Error, Sendable, Hashable {
    public let problems: [Problem.FieldProblem]

    init(_ problems: [Problem.FieldProblem]) { self.problems = problems }
}
