package import SubGuardContract

/// The events of every device, one device after the other: each sends its own queue. Made as they are asked for, so that
/// a history of any size takes the memory of one device.
package struct History: Sequence {
    package let plan: HistoryPlan
    private let signups: SignupCurve
    private let choice: CatalogueChoice

    package init(_ plan: HistoryPlan) {
        self.plan = plan
        signups = SignupCurve(dayCount: plan.dayCount)
        choice = CatalogueChoice(itemCount: plan.catalogue.count)
    }

    /// The device's events in the order of time.
    package func events(ofDevice index: Int) -> [EventReport] {
        var life = DeviceLife(plan: plan, device: index, signups: signups, choice: choice)
        return life.live()
    }

    package func makeIterator() -> some IteratorProtocol<[EventReport]> {
        (0..<plan.deviceCount).lazy.map { events(ofDevice: $0) }.makeIterator()
    }
}
