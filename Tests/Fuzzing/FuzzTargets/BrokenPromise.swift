/// An invariant that must hold for every input does not hold.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws ``BrokenPromise`` when `condition` is false.
func hold(_ condition: Bool, _ promise: @autoclosure () -> String) throws(BrokenPromise) {
    guard condition else { throw BrokenPromise(promise()) }
}
