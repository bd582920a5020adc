import Synchronization

/// A value created on first use; concurrent callers wait for it.
package final class Once<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    package init() {}

    package func value(_ make: () -> Value) -> Value {
        stored.withLock { stored in
            if let value = stored { return value }
            let value = make()
            stored = value
            return value
        }
    }
}
