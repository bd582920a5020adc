extension Currency {
    /// 10 million units.
    static let commonEntryLimit: Int64 = 10_000_000

    /// Amounts that are entered must be below this many units: 10 million, or 10 billion in currencies whose unit is
    /// worth about a euro cent or less. A missing decimal point is then noticed, and a rent in rupiahs is still
    /// accepted.
    public var entryLimit: Int64 { Self.small.contains(code) ? 10_000_000_000 : Self.commonEntryLimit }

    private static let small = Set(
        """
        AMD AOA ARS BIF CDF CLP COP CRC DJF GNF GYD HUF IDR IQD IRR ISK JMD JPY KHR KMF KPW KRW KZT LAK LBP LKR LRD \
        MGA MMK
        MNT MWK NGN PKR PYG RWF SDG SLE SOS SSP SYP TZS UGX UYI UZS VES VND VUV XAF XOF XPF YER ZWG
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
