/// ISO 4217, list one, as of January 2026, by number of decimals.
///
/// Left out are the codes that have no minor unit (metals, test codes, units of account) and the two funds codes with
/// four decimals (CLF, UYW). The Bulgarian lev stays, for what was noted before the country took the euro that month.
enum CurrencyTable {
    static let exponents: [UInt32: UInt8] = {
        var table: [UInt32: UInt8] = [:]
        let lists: [(String, UInt8)] = [(withoutDecimals, 0), (withTwoDecimals, 2), (withThreeDecimals, 3)]
        for (codes, exponent) in lists {
            for code in codes.split(whereSeparator: \.isWhitespace) {
                table[Currency.pack(code)] = exponent
            }
        }
        return table
    }()

    private static let withoutDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"

    private static let withThreeDecimals = "BHD IQD JOD KWD LYD OMR TND"

    private static let withTwoDecimals = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
        CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP
        GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT
        LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
        NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS
        SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG
        YER ZAR ZMW ZWG
        """
}
