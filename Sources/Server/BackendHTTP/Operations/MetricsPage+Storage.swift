import Backend

extension MetricsPage {
    /// As last measured, a few seconds ago at most.
    func writeStorage(_ page: inout PrometheusText) {
        let measure = storage.measure
        page.single("subguard_store_bytes", "gauge", "Used size of the store.", measure.usedBytes)
        page.single(
            "subguard_store_limit_bytes", "gauge", "Size from which devices get 503; 0 for no limit.",
            storage.limits.maximumBytes)
        if let free = measure.freeBytes {
            page.single("subguard_store_disk_free_bytes", "gauge", "Free space on the disk of the store.", free)
            page.single(
                "subguard_store_disk_minimum_free_bytes", "gauge",
                "Free space below which devices get 503; 0 for no limit.", storage.limits.minimumFreeBytes)
        }
        page.family("subguard_store_level", "gauge", "1 for the current storage level, 0 for the others.")
        for level in StorageLevel.allCases {
            page.sample("subguard_store_level", [("level", level.rawValue)], storage.level == level ? 1 : 0)
        }
    }
}
