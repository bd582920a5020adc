extension Duration {
    /// Cut to whole milliseconds.
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

    /// Cut to whole milliseconds and to what SQLite's timeouts hold: 0 to 24 days.
    var sqliteMilliseconds: CInt {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < Int64(CInt.max / 1000) else { return CInt.max }
        return CInt(seconds) * 1000 + CInt(attoseconds / 1_000_000_000_000_000)
    }
}
