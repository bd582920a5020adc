/// One field of an input that is wrong.
package struct FieldError: Error, Sendable, Hashable {
    /// Where it stands in the input: a JSON pointer as a fragment, e.g. `#/suggestions/3/name`.
    package let pointer: String
    /// Stable snake_case.
    package let code: String
    /// One sentence for people. Never repeats the value.
    package let detail: String

    package init(pointer: String, code: String, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }
}
