/// The payees of a country, as its banks write them; people and small businesses are invented.
struct CorpusCountry {
    struct Service {
        var name: String
        var how: CorpusHousehold.How

        init(_ name: String, _ how: CorpusHousehold.How) {
            self.name = name
            self.how = how
        }
    }

    var monthly: [Service]
    var weekly: String
    var yearly: String
    var shops: [String]
    var canteen: String
    /// Who gets standing orders.
    var people: [String]
    var rent: String
    var loan: String
    var tax: String
    var employer: String

    static let france = CorpusCountry(
        monthly: [
            Service("FREE MOBILE", .debit), Service("NETFLIX.COM", .card), Service("EDF CLIENTS PARTICULIERS", .debit),
            Service("SPOTIFY", .paypal), Service("PRET A MANGER CLUB", .card), Service("HARMONIE MUTUELLE", .debit),
            Service("DEEZER", .paypal), Service("LE MONDE", .card), Service("SALLE DE SPORT LUMIÈRE", .debit),
            Service("CANAL PLUS", .paypal),
        ],
        weekly: "PANIER BIO DES COTEAUX", yearly: "MAIF",
        shops: ["CARREFOUR CITY", "LA BOULANGERIE", "SNCF VOYAGEURS"],
        canteen: "CANTINE DU PORT", people: ["Jeanne Morvan", "M DUBREUIL Henri", "LEFORT SYLVIE"],
        rent: "LOYER MME BERTIN", loan: "ECHEANCE PRET 0012345678", tax: "DIRECTION GENERALE DES FINANCES PUBLIQUES",
        employer: "ATELIERS DU RHONE")

    static let germany = CorpusCountry(
        monthly: [
            Service("Telekom Deutschland GmbH", .debit), Service("NETFLIX INTERNATIONAL B.V.", .debit),
            Service("SPOTIFY", .paypal), Service("Stadtwerke Münster GmbH", .debit), Service("WISO STEUER", .card),
            Service("DISNEYPLUS", .paypal), Service("FITX Deutschland GmbH", .debit), Service("HUK-COBURG", .debit),
            Service("AUDIBLE GMBH", .card), Service("Urban Sports Club", .paypal),
        ],
        weekly: "HELLOFRESH", yearly: "ADAC e.V.", shops: ["REWE MARKT GMBH", "DM-DROGERIE MARKT", "SHELL 4711"],
        canteen: "KANTINE NORD", people: ["Anna Schmidt", "Herr Jürgen Kaufmann", "Petra Vogel"],
        rent: "Hausverwaltung Lindenhof Miete", loan: "Darlehensrate 4711", tax: "Finanzamt Münster-Innenstadt",
        employer: "Werft Nord AG")

    static let netherlands = CorpusCountry(
        monthly: [
            Service("Ziggo B.V.", .debit), Service("NETFLIX.COM", .card),
            Service("Vattenfall Klantenservice N.V.", .debit),
            Service("SPOTIFY", .paypal), Service("Basic-Fit Nederland B.V.", .debit), Service("VIDEOLAND", .card),
            Service("Zilveren Kruis", .debit), Service("DROPBOX", .paypal), Service("NRC Media", .debit),
            Service("CASHFLOW MANAGER APP", .card),
        ],
        weekly: "CRISP BOODSCHAPPEN", yearly: "ANWB B.V.", shops: ["Albert Heijn 1521", "HEMA EV046", "NS GROEP"],
        canteen: "KANTINE ZUIDAS", people: ["J. van Dijk", "Dhr Pieter Bakker", "Mevr S. Visser"],
        rent: "Woonstichting huur", loan: "Hypotheek termijn", tax: "Belastingdienst", employer: "Havenbedrijf Zuid")

    static let britain = CorpusCountry(
        monthly: [
            Service("EE LIMITED", .debit), Service("NETFLIX.COM", .card), Service("OCTOPUS ENERGY", .debit),
            Service("SPOTIFY", .paypal), Service("RENT THE RUNWAY", .card), Service("THE GYM GROUP", .debit),
            Service("PRET CLUB", .card), Service("TV LICENCE MBP", .debit), Service("AUDIBLE UK", .paypal),
            Service("GOUSTO", .card),
        ],
        weekly: "ABEL AND COLE", yearly: "NATIONAL TRUST", shops: ["TESCO STORES 3021", "GREGGS PLC", "TFL TRAVEL CH"],
        canteen: "STAFF CANTEEN", people: ["Margaret Hollis", "MR T BARNES", "Oliver Penhale"],
        rent: "Flat 4 rent", loan: "LOAN PAYMENT 88123", tax: "HMRC SELF ASSESSMENT", employer: "HARBOUR WORKS LTD")

    static let america = CorpusCountry(
        monthly: [
            Service("VERIZON WIRELESS", .card), Service("NETFLIX.COM", .card), Service("HULU", .paypal),
            Service("PLANET FITNESS", .debit), Service("CASH APP PRO TOOLS", .card), Service("NYTIMES", .card),
            Service("GEICO AUTO", .debit), Service("SPOTIFY", .paypal), Service("ATMOSPHERE TV", .card),
            Service("ADOBE INC", .card),
        ],
        weekly: "IMPERFECT FOODS", yearly: "COSTCO ANNUAL RENEWAL",
        shops: ["TRADER JOES #123", "STARBUCKS STORE 05512", "SHELL OIL 57444"], canteen: "CAMPUS CAFE",
        people: ["Jennifer Walsh", "Mark Oyelaran", "Mrs Ellen Drake"], rent: "Elm Street Apartments rent",
        loan: "MORTGAGE PAYMENT", tax: "IRS USATAXPYMT", employer: "LAKESIDE MFG")

    static let spain = CorpusCountry(
        monthly: [
            Service("VODAFONE ESPAÑA", .debit), Service("NETFLIX.COM", .card), Service("IBERDROLA CLIENTES", .debit),
            Service("SPOTIFY", .paypal), Service("GIMNASIO AURORA", .debit), Service("FILMIN", .card),
            Service("SANITAS", .debit), Service("DAZN", .paypal), Service("HBO MAX", .card), Service("EL PAIS", .card),
        ],
        weekly: "CESTA VERDE", yearly: "MAPFRE SEGUROS", shops: ["MERCADONA", "REPSOL", "RENFE VIAJEROS"],
        canteen: "COMEDOR CENTRAL", people: ["Maria Fuentes", "Javier Ortega", "SR Tomas Vidal"],
        rent: "Piso centro alquiler", loan: "CUOTA PRESTAMO 3311", tax: "AGENCIA TRIBUTARIA", employer: "TALLERES SUR")

    static let italy = CorpusCountry(
        monthly: [
            Service("TIM SPA", .debit), Service("NETFLIX.COM", .card), Service("ENEL ENERGIA", .debit),
            Service("SPOTIFY", .paypal), Service("PALESTRA VIRGILIO", .debit), Service("DISNEY PLUS", .card),
            Service("FASTWEB", .debit), Service("NOW TV", .paypal), Service("LA STAMPA", .card),
            Service("CANVA", .card),
        ],
        weekly: "CORTILIA", yearly: "ALLIANZ DIRECT", shops: ["ESSELUNGA", "AUTOGRILL", "TRENITALIA"],
        canteen: "MENSA AZIENDALE", people: ["Giulia Ferraro", "Marco Bellini", "Signora Carla Testa"],
        rent: "Appartamento via Roma affitto", loan: "RATA MUTUO 778", tax: "AGENZIA DELLE ENTRATE",
        employer: "OFFICINE LIGURI")

    static let sweden = CorpusCountry(
        monthly: [
            Service("TELIA SVERIGE AB", .debit), Service("NETFLIX.COM", .card), Service("SATS SPORTS CLUB", .debit),
            Service("SPOTIFY", .paypal), Service("VIAPLAY", .card), Service("FOLKSAM", .debit),
            Service("STORYTEL", .card), Service("DAGENS NYHETER", .debit), Service("CMORE", .paypal),
            Service("ICLOUD", .card),
        ],
        weekly: "LINAS MATKASSE", yearly: "RIKSBYGGEN MEDLEM", shops: ["ICA SUPERMARKET", "COOP", "SL"],
        canteen: "LUNCHRESTAURANG", people: ["Karin Lindqvist", "Lars Ekdahl", "Anna Berglund"],
        rent: "Bostads hyra", loan: "MORTGAGE 5511", tax: "SKATTEVERKET", employer: "VARVET AB")

    static let switzerland = CorpusCountry(
        monthly: [
            Service("Swisscom (Schweiz) AG", .debit), Service("NETFLIX.COM", .card), Service("Sunrise GmbH", .debit),
            Service("Spotify AB", .card), Service("ACTIV FITNESS", .debit), Service("CSS Versicherung", .debit),
            Service("SALT MOBILE SA", .debit), Service("DROPBOX", .card), Service("Tages-Anzeiger", .debit),
            Service("Adobe Systems", .card),
        ],
        weekly: "FARMY", yearly: "TCS Mitgliedschaft", shops: ["MIGROS M", "COOP-1812", "SBB MOBILE"],
        canteen: "PERSONALRESTAURANT", people: ["Ursula Ammann", "Herr Beat Zollinger", "Sandra Keller"],
        rent: "Liegenschaft Seeblick Miete", loan: "Hypothek Zins", tax: "Steueramt der Stadt", employer: "Uhrenwerk AG"
    )
}
