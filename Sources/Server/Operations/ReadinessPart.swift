/// What a server that is ready for requests has in order.
package enum ReadinessPart: Sendable, CaseIterable {
    case migrations, store, storage, clock, shutdown
}
