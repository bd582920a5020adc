/// Which device is next, and when: a binary heap. Each device stands in it once at most.
struct DeviceAgenda {
    private var entries: [(at: Int64, device: Int)] = []

    var next: Int64? { entries.first?.at }

    mutating func add(_ device: Int, at moment: Int64) {
        entries.append((moment, device))
        var child = entries.count - 1
        while child > 0, entries[(child - 1) / 2].at > entries[child].at {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The first device whose moment has come, and that moment.
    mutating func take(at now: Int64) -> (device: Int, dueAt: Int64)? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.device, first.at)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].at < entries[least].at { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
