package import JSONWire

/// A problem as a client receives it. Wrongly typed members are as good as absent (RFC 9457 section 3.1), and a code
/// that this version does not know is kept as it is.
package struct ReceivedProblem: Sendable, Hashable {
    package let code: String?
    package let detail: String?
    package let errors: [Problem.FieldProblem]

    package init(wire object: JSONObject?) {
        code = object?["code"]?.stringValue
        detail = object?["detail"]?.stringValue
        errors = (object?["errors"]?.arrayValue ?? []).compactMap { element in
            guard let error = element.objectValue, let pointer = error["pointer"]?.stringValue else { return nil }
            return Problem.FieldProblem(
                pointer: pointer, code: error["code"]?.stringValue ?? "?", detail: error["detail"]?.stringValue ?? "?")
        }
    }
}
