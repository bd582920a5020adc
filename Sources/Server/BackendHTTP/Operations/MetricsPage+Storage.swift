import Backend

extension MetricsPage {
    /// As last measured, a few seconds ago at most.
    func writeStorage(_ page: inout PrometheusText) {
        let measure = storage.measure
        page.single("subguard_store_bytes", "gauge", "Size of the store in use.", measure.usedBytes)
        page.single(
            "subguard_store_limit_bytes", "gauge", "Size from which devices are answered 503; 0 for no limit.",
            storage.limits.maximumBytes)
        if let free = measure.freeBytes {
            page.single("subguard_store_disk_free_bytes", "gauge", "Free space on the disk of the store.", free)
            page.single(
                "subguard_store_disk_minimum_free_bytes", "gauge",
                "Free space under which devices are answered 503; 0 for no limit.", storage.limits.minimumFreeBytes)
        }
        page.family("subguard_store_level", "gauge", "1 for the present level of the storage, 0 for the others.")
        for level in StorageLevel.allCases {
            page.sample("subguard_store_level", [("level", level.rawValue)], storage.level == level ? 1 : 0)
        }
    }
}
