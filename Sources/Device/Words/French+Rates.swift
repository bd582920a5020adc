extension French {
    /// Exchange rates and sums in the home currency.
    static let rateMessages: [String: String] = [
        "% rates from % to %, of which new: %": "% taux du % au %, dont nouveaux : %",
        "1 EUR = % % from %": "1 EUR = % % à partir du %",
        "home currency": "devise de référence", "reference rates": "taux de référence", "own rate": "taux personnel",
        "no rate for": "pas de taux pour",
        "% day old, up to %|% days old, up to %": "d'il y a % jour, jusqu'au %|d'il y a % jours, jusqu'au %",
        "together % per year, % per month": "total % par an, % par mois",
        "rates": "taux",
        "not offered by the server": "non proposés par le serveur",
        "; 1 EUR = %": " ; 1 EUR = %",
        "not converted, for want of a rate: %; see `subguard rates --help`":
            "pas converti, faute de taux : % ; voir `subguard rates --help`",
    ]

    static let rateErrors: [String: String] = [
        "The zip archive must be undamaged and hold one file of reference rates.":
            "L'archive zip doit être intacte et contenir un seul fichier de taux de référence.",
        "The file is empty.": "Le fichier est vide.",
        "The file has no rates.": "Le fichier ne contient aucun taux.",
        "The file has rates of %, in the future.": "Le fichier contient des taux du %, dans le futur.",
        "Must have at most % MB.": "Doit faire au plus % Mo.",
        "Must have at most % rows.": "Doit avoir au plus % lignes.",
        "Not a file of reference rates: the first column must be Date.":
            "Pas un fichier de taux de référence : la première colonne doit être Date.",
        "Not valid CSV.": "Ce n'est pas du CSV valide.",
        "Must have as many fields as the header: %.": "Doit avoir autant de champs que l'en-tête : %.",
        "Must begin with a day such as 2026-11-20.": "Doit commencer par un jour comme 2026-11-20.",
        "The day occurs twice.": "Ce jour figure deux fois.",
        "The rate of % must be a number greater than 0.": "Le taux de % doit être un nombre supérieur à 0.",
        "The rate of % on % must be a number greater than 0.":
            "Le taux de % du % doit être un nombre supérieur à 0.",
        "% has two rates on %.": "% a deux taux le %.",
        "A rate has no day.": "Un taux n'a pas de jour.",
        "Must be a day such as 2026-11-20.": "Doit être un jour comme 2026-11-20.",
        "Must be a number greater than 0, such as 1.0823.": "Doit être un nombre supérieur à 0, comme 1,0823.",
        "Rates are against the euro itself.": "Les taux sont exprimés par rapport à l'euro lui-même.",
    ]
}
