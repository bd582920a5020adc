import SubGuardDomain

/// Shapes of the exports of banks, cards and payment services in the languages of their customers.
extension StatementShape {
    static let all: [StatementShape] = french + dutch + german + english + southern + northern + eastern

    private static let french: [StatementShape] = [
        .init(
            "Société Générale", "fr",
            """
            ="0001234567";01/01/2026;31/12/2026;81;02/01/2027;1234,56 EUR

            Date de la transaction;Libellé;Détail de l'écriture;Montant de l'opération;Devise
            """,
            "{dd/MM/yyyy};{text};CARTE X1234 \"{payee}\" {ref};{-1,23};EUR", .windows1252),
        .init(
            "Crédit Agricole", "fr",
            """
            Téléchargement du 02/01/2027;

            Madame EXAMPLE;
            Compte de Dépôt n° 12345678901;
            Solde au 31/12/2026 1 234,56 €

            Date;Libellé;Débit euros;Crédit euros;
            """,
            "{dd/MM/yyyy};\"{text}\n{ref}\";{out,};{in,};", .windows1252),
        .init(
            "Boursorama", "fr",
            """
            dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;\
            accountbalance
            """,
            """
            {yyyy-MM-dd};{yyyy-MM-dd};"{text}";"Abonnements & téléphonie";"Quotidien";"{payee}";{-1 234,56};;\
            00040123456;BoursoBank;1234.56
            """
        ),
        .init(
            "La Banque Postale", "fr",
            """
            Numéro Compte   ;1234567A020
            Type         ;CCP
            Compte tenu en  ;euros
            Date            ;31/12/2026
            Solde (EUROS)   ;1234,56

            Date;Libellé;Montant(EUROS)
            """,
            "{dd/MM/yyyy};\"{text}\";{-1,23}", .windows1252),
        .init(
            "BNP Paribas", "fr", "Compte de chèques;****1234;31/12/2026;;1234,56",
            "{dd/MM/yyyy};FACTURE CARTE;CB;\"{text}\";{−1,23}"),
        .init(
            "CIC", "fr", "Date;Date de valeur;Débit en €;Crédit en €;Libellé;Solde en €",
            "{dd/MM/yyyy};{dd/MM/yyyy};{out,};{in,};{text};{=,}", .iso8859p15),
        .init(
            "Caisse d'Épargne", "fr",
            """
            Date de comptabilisation;Libelle simplifie;Libelle operation;Reference;Informations complementaires;\
            Type operation;Categorie;Sous categorie;Debit;Credit;Date operation;Date de valeur;Pointage operation
            """,
            "{dd/MM/yyyy};{payee};{text};{ref};;Carte bancaire;Shopping;Divers;{out,};{in,};{dd/MM/yyyy};{dd/MM/yyyy};0"
        ),
        .init(
            "Fortuneo", "fr", "Date opération;Date valeur;libellé;Débit;Crédit;",
            "{dd/MM/yyyy};{dd/MM/yyyy};{text};{out,};{in,};", .macRoman, isReversed: true, lineEnd: "\r"),
        .init("Qonto", "fr", "Quand;Qui;Combien;Reste", "{dd MMM yyyy};{payee};{-1 234,56 €};{=,}"),
        .init("Hello bank", "fr", "Wording;Solde;Montant en euros;Date", "{text};{=,};{-1,23};{dd/MM/yyyy}", .cp850),
        .init(
            "Revolut", "fr", "Type,Produit,Date de début,Date de fin,Description,Montant,Frais,Devise,État,Solde",
            """
            Paiement par carte,Actuel,{yyyy-MM-dd} 08:12:44,{yyyy-MM-dd} 15:01:09,{payee},{-1.23},0.00,EUR,TERMINÉ,{=.}
            """
        ),
    ]

    private static let dutch: [StatementShape] = [
        .init(
            "ING", "nl",
            """
            "Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";\
            "Mededelingen"
            """,
            """
            "{yyyyMMdd}";"{payee}";"NL00INGB0001234567";"";"BA";"{Af|Bij}";"{1,23}";"Betaalautomaat";\
            "Pasvolgnr: 001 {ref}"
            """
        ),
        .init(
            "Rabobank", "nl",
            """
            "IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN",\
            "Naam tegenpartij","Naam uiteindelijke partij","Code","Omschrijving-1","Omschrijving-2"
            """,
            """
            "NL00RABO0123456789","EUR","RABONL2U","{ref}","{yyyy-MM-dd}","{yyyy-MM-dd}","{-1,23}","{=,}",\
            "NL00ADYB0000000000","Adyen N.V.","{payee}","ei","Kenmerk {ref}",""
            """
        ),
        .init("ABN AMRO", "nl", "", "123456789\tEUR\t{yyyyMMdd}\t{=,}\t{=,}\t{yyyyMMdd}\t{-1,23}\t{text}"),
        .init(
            "KBC", "nl",
            """
            Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;\
            Rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Adres tegenpartij;gestructureerde mededeling;\
            Vrije mededeling
            """,
            """
            BE00000000000000;Zicht;{holder};EUR; 01126;{dd/MM/yyyy};DOMICILIERING {ref};{dd/MM/yyyy};{-1,23};{=,};\
            {in,};{out,};BE00999999999999;KREDBEBB;{payee};;;
            """,
            isReversed: true),
        .init(
            "BNP Paribas Fortis", "nl",
            """
            Volgnummer;Uitvoeringsdatum;Valutadatum;Bedrag;Valuta rekening;Rekeningnummer;Type verrichting;Tegenpartij;\
            Naam van de tegenpartij;Mededeling;Details;Status;Reden van weigering
            """,
            """
            2026-00001;{dd/MM/yyyy};{dd/MM/yyyy};{-1,23};EUR;BE00000000000000;Kaartbetaling;;{payee};;{text};\
            Geaccepteerd;
            """
        ),
        .init(
            "Belfius", "nl",
            """
            Boekingsdatum vanaf;01/01/2026
            Boekingsdatum tot en met;31/12/2026

            Rekening;Boekingsdatum;Rekeninguittrekselnummer;Transactienummer;Rekening tegenpartij;\
            Naam tegenpartij bevat;Straat en nummer;Postcode en plaats;Transactie;Valutadatum;Bedrag;Devies;BIC;\
            Landcode;Mededelingen
            """,
            """
            BE00 0000 0000 0000;{dd/MM/yyyy};00001;{ref};;{payee};;;DOMICILIERING {payee};{dd/MM/yyyy};{-1,23};EUR;;;
            """),
        .init(
            "bunq", "nl", "\"Date\",\"Interest Date\",\"Amount\",\"Account\",\"Counterparty\",\"Name\",\"Description\"",
            "\"{yyyy-MM-dd}\",\"{yyyy-MM-dd}\",\"{-1,234.56}\",\"NL00BUNQ0000000000\",\"\",\"{payee}\",\"{text}\""),
        .init(
            "Knab", "nl",
            """
            KNAB EXPORT;;;
            Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;\
            Valutadatum;Betaalwijze;Omschrijving
            """,
            "NL00KNAB0000000000;{dd-MM-yyyy};EUR;{D|C};{1,23};;{payee};{dd-MM-yyyy};Incasso;{ref}"),
        .init(
            "Argenta", "nl", "Wanneer|Wie|Hoeveel|Kenmerk", "{dd MMM yyyy}|{payee}|{-1.234,56}|{ref}",
            isReversed: true),
    ]

    private static let german: [StatementShape] = [
        .init(
            "Sparkasse", "de",
            """
            "Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";\
            "Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung";"Info"
            """,
            """
            "DE00123";"{dd.MM.yy}";"{dd.MM.yy}";"FOLGELASTSCHRIFT";"EREF+{ref}";"";"{payee}";"DE99";"{-1,23}";"EUR";\
            "Umsatz gebucht"
            """,
            .windows1252),
        .init(
            "DKB", "de",
            """
            "Girokonto";"DE00120300001234567890"
            "Kontostand vom 31.12.2026:";"1.234,56 €"
            ""
            "Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";\
            "Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"
            """,
            """
            "{dd.MM.yy}";"{dd.MM.yy}";"Gebucht";"{holder}";"{payee}";"{text}";"Ausgang";"DE00";"{-1.234,56}";"";"";""
            """,
            isReversed: true),
        .init(
            "ING", "de",
            """
            Umsatzanzeige;Datei erstellt am: 02.01.2027 10:00

            IBAN;DE00 0000 0000 0000
            Kunde;Anna Example
            Zeitraum;01.01.2026 - 31.12.2026
            Saldo;1.234,56;EUR

            Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung
            """,
            "{dd.MM.yyyy};{dd.MM.yyyy};{payee};Lastschrift;{ref};{=,};EUR;{-1.234,56};EUR", .windows1252,
            isReversed: true),
        .init(
            "comdirect", "de",
            """
            ;
            "Umsätze Girokonto";"Zeitraum: 365 Tage";
            "Neuer Kontostand";"1.234,56 EUR";

            "Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
            """,
            """
            "{dd.MM.yyyy}";"{dd.MM.yyyy}";"Lastschrift";"Auftraggeber: {payee} Buchungstext: {ref}";"{-1.234,56}";
            """,
            .windows1252),
        .init(
            "N26", "de",
            """
            "Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name",\
            "Amount (EUR)","Original Amount","Original Currency","Exchange Rate"
            """,
            "{yyyy-MM-dd},{yyyy-MM-dd},{payee},,Presentment,-,Hauptkonto,{-1.23},,,"),
        .init("Raiffeisen", "de", "", "{dd.MM.yyyy};{text};{dd.MM.yyyy};{-1,23};EUR;{dd.MM.yyyy} 12:00:00:000"),
        .init(
            "UBS", "de",
            """
            Kontonummer:;0234 00000000.00;
            IBAN:;CH00 0000 0000 0000 0000 0;
            Von:;2026-01-01;
            Bis:;2026-12-31;
            Bewertet in:;CHF;

            Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;\
            Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;
            """,
            """
            {yyyy-MM-dd};;{yyyy-MM-dd};{yyyy-MM-dd};CHF;{out.};{in.};;{=.};{ref};"{payee};8000 Zürich";\
            "Zahlung Debitkarte";;;
            """,
            .utf8, "CHF"),
        .init(
            "PostFinance", "de",
            """
            Datum von:;="01.01.2026"
            Konto:;="CH0000000000000000000"
            Währung:;="CHF"

            Datum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Valuta;Saldo in CHF
            """,
            "{dd.MM.yyyy};\"{text}\";{in.};{out.};{dd.MM.yyyy};{=.}", .windows1252, "CHF"),
        .init(
            "Volksbank", "de",
            """
            Bezeichnung Auftragskonto;IBAN Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;\
            IBAN Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung
            """,
            "Giro;DE00;{dd.MM.yyyy};{dd.MM.yyyy};{payee};DE99;Basislastschrift;{ref};{-1,23};EUR;{=,};"),
        .init("Bank Austria", "de", "Tag;Wofür;Geld;Übrig", "{dd. MMM yyyy};{text};{1,23-};{=,}", .cp850),
        .init(
            "Commerzbank", "de",
            "Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber;Kategorie",
            "{dd.MM.yyyy};{dd.MM.yyyy};Lastschrift;{payee} {ref};{-1,23};EUR;DE00;Unkategorisierte Ausgaben"),
    ]

    private static let english: [StatementShape] = [
        .init(
            "Barclays", "en", "Number,Date,Account,Amount,Subcategory,Memo",
            ",{dd/MM/yyyy},20-00-00 12345678,{-1.23},PAYMENT,\"{payee}          {ref}\"", .utf8, "GBP", isReversed: true
        ),
        .init(
            "Monzo", "en",
            """
            Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,\
            Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In
            """,
            """
            tx_{ref},{dd/MM/yyyy},10:00:00,Card payment,{payee},🍿,Entertainment,{-1.23},GBP,{-1.23},GBP,,,,{text},,\
            {out.},{in.}
            """,
            .utf8, "GBP"),
        .init(
            "Starling", "en", "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes",
            "{dd/MM/yyyy},{payee},{ref},DIRECT DEBIT,{-1.23},{=.},BILLS,", .utf8, "GBP"),
        .init(
            "Lloyds", "en",
            """
            Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,\
            Credit Amount,Balance
            """,
            "{dd/MM/yyyy},DEB,'30-00-00,12345678,{text},{out.},{in.},{=.}", .utf8, "GBP", isReversed: true),
        .init("HSBC", "en", "", "{dd/MM/yyyy},{text},\"{-1,234.56}\"", .utf8, "GBP"),
        .init(
            "Nationwide", "en",
            """
            "Account Name:","FlexAccount ****12345"
            "Account Balance:","£1234.56"

            "Date","Transaction type","Description","Paid out","Paid in","Balance"
            """,
            "\"{dd MMM yyyy}\",\"Visa purchase\",\"{payee}\",\"{out.}\",\"{in.}\",\"£{=.}\"", .windows1252, "GBP"),
        .init(
            "Wise", "en",
            """
            "TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From",\
            "Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Total fees"
            """,
            """
            CARD-{ref},{dd-MM-yyyy},{-1.23},EUR,"Card transaction of EUR issued by {payee}",,{=.},,,,{|Employer Inc},,,\
            {payee},0.00
            """,
            isReversed: true),
        .init(
            "Chase", "en", "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #",
            "{DEBIT|CREDIT},{MM/dd/yyyy},\"{text}\",{-1.23},ACH_DEBIT,{=.},,", .utf8, "USD", isReversed: true),
        .init(
            "Bank of America", "en",
            """
            Description,,Summary Amt.
            Beginning balance as of 01/01/2026,,"3,000.00"
            Total credits,,"1,000.00"

            Date,Description,Amount,Running Bal.
            """,
            "{MM/dd/yyyy},\"{text}\",\"{-1,234.56}\",\"{=.}\"", .utf8, "USD"),
        .init(
            "Capital One", "en", "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit",
            "{yyyy-MM-dd},{yyyy-MM-dd},1234,{text},Entertainment,{out.},{in.}", .utf8, "USD"),
        .init(
            "American Express", "en", "Date,Description,Card Member,Account #,Amount",
            "{MM/dd/yyyy},{payee} {ref},ANNA EXAMPLE,-12345,{+1.23}", .utf8, "USD", isCard: true),
        .init("Wells Fargo", "en", "", "\"{MM/dd/yyyy}\",\"{-1.23}\",\"*\",\"\",\"{text}\"", .utf8, "USD"),
        .init(
            "RBC", "en",
            """
            "Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2",\
            "CAD$","USD$"
            """,
            "Chequing,01234-1234567,{MM/dd/yyyy},,\"{payee}\",\"{ref}\",{-1.23},", .utf8, "CAD"),
        .init("TD", "en", "", "{MM/dd/yyyy},{text},{out.},{in.},{=.}", .utf8, "CAD"),
        .init("CommBank", "en", "", "{dd/MM/yyyy},\"{-1.23}\",\"{text}\",\"+{=.}\"", .utf8, "AUD", isReversed: true),
        .init(
            "PayPal", "en",
            """
            "Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Balance"
            """,
            """
            "{dd/MM/yyyy}","10:00:00","CET","{payee}","PreApproved Payment Bill User Payment","Completed","EUR",\
            "{-1,23}","0,00","{-1,23}","{ref}","{=,}"
            """
        ),
        .init("Ledger card", "en", "When,Narration,Worth,Left", "{dd-MMM-yyyy},{text},{(1.23)},{=.}", .utf8, "USD"),
        .init(
            "Curve", "en",
            """
            Date (YYYY-MM-DD as UTC),Merchant,Txn Amount (Funding Card),Txn Currency (Funding Card),\
            Txn Amount (Foreign Spend),Txn Currency (Foreign Spend),Card Name,Card Last 4 Digits,Type,Category,Notes
            """,
            "{yyyy-MM-dd},{payee},{+1.23},GBP,,,Main,1234,Personal,Shopping,", .utf8, "GBP", isCard: true),
        .init(
            "N26", "en",
            """
            "Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)",\
            "Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"
            """,
            "\"{yyyy-MM-dd}\",\"{payee}\",\"\",\"MasterCard Payment\",\"\",\"{-1.23}\",\"{-1.23}\",\"USD\",\"1.0\""),
        .init(
            "Trade Republic", "de",
            """
            "datetime","date","account_type","category","type","name","symbol","shares","price","amount","fee","tax",\
            "currency"
            """,
            """
            "{yyyy-MM-dd}T10:00:00Z","{yyyy-MM-dd}","DEFAULT","CASH","CARD_TRANSACTION","{payee}","","","","{-1.23}",\
            "","","EUR"
            """
        ),
        .init(
            "Barclays", "de",
            """
            Referenznummer;Buchungsdatum;Buchungsdatum;Betrag;Beschreibung;Typ;Status;Kartennummer;Originalbetrag;Land;\
            Name des Karteninhabers;Kartennetzwerk
            """,
            """
            {ref};{dd.MM.yyyy};{dd.MM.yyyy};{-1.234,56} €;{payee};Belastung;Berechnet;1234;{-1,23} €;DE;{holder};Visa
            """),
    ]

    private static let southern: [StatementShape] = [
        .init(
            "BBVA", "es", "F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones",
            "{dd/MM/yyyy};{dd/MM/yyyy};{payee};Pago con tarjeta;{-1,23};EUR;{=,};EUR;{ref}", .windows1252,
            isReversed: true),
        .init(
            "CaixaBank", "es", "Fecha;Fecha valor;Movimiento;Más datos;Importe;Saldo",
            "{dd/MM/yyyy};{dd/MM/yyyy};{text};;{-1.234,56};{=,}", .windows1252),
        .init(
            "ING", "es", "F. VALOR;CATEGORÍA;SUBCATEGORÍA;DESCRIPCIÓN;COMENTARIO;IMPORTE (€);SALDO (€)",
            "{dd/MM/yyyy};Ocio;Suscripciones;Pago en {payee};;{−1,23};{=,}"),
        .init(
            "Banco de Chile", "es", "Fecha;Descripción;Monto;Moneda", "{dd/MM/yyyy};{text};{-1.234};CLP", .windows1252,
            "CLP"),
        .init("Openbank", "es", "Cuándo;Quién;Cuánto", "{dd MMM yyyy};{payee};{-1,23}"),
        .init(
            "Intesa Sanpaolo", "it",
            "Data;Operazione;Dettagli;Conto o carta;Contabilizzazione;Categoria;Valuta;Importo",
            "{dd/MM/yyyy};{payee};Pagamento {ref};Conto 1000/1;CONTABILIZZATO;Svago;EUR;{-1,23}"),
        .init(
            "Fineco", "it", "Data_Operazione;Data_Valuta;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato",
            "{dd/MM/yyyy};{dd/MM/yyyy};{in,};{out,};Pagamento;{payee} {ref};Contabilizzato"),
        .init("UniCredit", "it", "Giorno;Cosa;Quanto", "{dd MMM yyyy};{text};{–1.23}"),
        .init(
            "Millennium", "pt", "Data Mov.;Data Valor;Descrição;Débito;Crédito;Saldo",
            "{dd-MM-yyyy};{dd-MM-yyyy};{text};{out,};{in,};{=,}", .windows1252),
        .init(
            "Nubank", "pt", "Data,Valor,Identificador,Descrição", "{dd/MM/yyyy},{-1.23},{ref}-aa11-bb22,{text}", .utf8,
            "BRL"),
    ]

    private static let northern: [StatementShape] = [
        .init(
            "Landsbankinn", "is", "Dagsetning;Texti;Upphæð;Staða", "{dd.MM.yyyy};{text};{-1.234};{=1.234}", .utf8,
            "ISK"),
        .init(
            "Swedbank", "sv",
            """
            * Transaktioner Period 2026-01-01 – 2026-12-31
            Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,\
            Beskrivning,Belopp,Bokfört saldo
            """,
            "1,81059,9311111111,Privatkonto,SEK,{yyyy-MM-dd},{yyyy-MM-dd},{yyyy-MM-dd},{payee},{payee},{-1.23},{=.}",
            .utf8, "SEK"),
        .init(
            "Nordea", "sv", "Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta",
            "{yyyy-MM-dd};{-1,23};3300 000000-0000;;;{text};{=,};SEK", .utf8, "SEK", isReversed: true),
        .init(
            "DNB", "no", "\"Dato\";\"Forklaring\";\"Rentedato\";\"Ut fra konto\";\"Inn på konto\"",
            "\"{dd.MM.yyyy}\";\"{text}\";\"{dd.MM.yyyy}\";\"{out,}\";\"{in,}\"", .windows1252, "NOK"),
        .init(
            "Danske Bank", "da", "\"Dato\";\"Tekst\";\"Beløb\";\"Saldo\";\"Status\";\"Afstemt\"",
            "\"{dd.MM.yyyy}\";\"{payee}\";\"{-1.234,56}\";\"{=,}\";\"Udført\";\"Nej\"", .windows1252, "DKK"),
        .init(
            "OP", "fi",
            """
            Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja;Saajan tilinumero;Viite;Viesti;\
            Arkistointitunnus
            """,
            "{yyyy-MM-dd};{yyyy-MM-dd};{-1,23};162;PKORTTIMAKSU;{payee};;;{ref};{ref}", .windows1252),
    ]

    private static let eastern: [StatementShape] = [
        .init(
            "mBank", "pl",
            """
            mBank S.A.;
            #Klient;
            ANNA EXAMPLE;

            #Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;\
            #Saldo po operacji;
            """,
            "{yyyy-MM-dd};{yyyy-MM-dd};ZAKUP PRZY UŻYCIU KARTY;\"{ref}\";\"{payee}\";'';{-1 234,56};{=,};", .utf8, "PLN"
        ),
        .init(
            "PKO", "pl",
            """
            "Data operacji","Data waluty","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji"
            """,
            """
            "{yyyy-MM-dd}","{yyyy-MM-dd}","Płatność kartą","{-1.23}","PLN","{=.}","Lokalizacja: {payee} {ref}"
            """,
            .windows1250, "PLN", isReversed: true),
        .init(
            "ING", "pl", "Kiedy;Opłata za;Złotych", "{dd-MM-yyyy};{payee} świadczenie usługi;{-1,23}", .iso8859p2, "PLN"
        ),
        .init(
            "Fio", "cs",
            """
            "ID pohybu";"Datum";"Objem";"Měna";"Protiúčet";"Název protiúčtu";"Kód banky";"Zpráva pro příjemce";"Typ"
            """,
            "\"{ref}\";\"{dd.MM.yyyy}\";\"{-1,23}\";\"CZK\";\"\";\"{payee}\";\"\";\"Nákup\";\"Platba kartou\"",
            .windows1250, "CZK"),
        .init(
            "OTP", "hu", "Könyvelés dátuma;Tranzakció leírása;Összeg;Egyenleg", "{yyyy.MM.dd};{text};{-1,23};{=,}",
            .utf8, "EUR"),
        .init("Сбербанк", "ru", "Дата;Описание;Сумма;Валюта", "{dd.MM.yyyy};{text};{-1,23};RUB", .windows1251, "RUB"),
    ]
}
