extension French {
    /// Messages of `import --format bank`.
    static let statementMessages: [String: String] = [
        "% entry in % (%)|% entries in % (%)": "% écriture dans % (%)|% écritures dans % (%)",
        "columns %; dates %; decimal mark %": "colonnes % ; dates % ; séparateur décimal %",
        "dates %": "dates %",
        "no row proves the order of the dates; if it is wrong, give --date-order dmy, mdy or ymd":
            "aucune ligne ne prouve l'ordre des dates ; s'il est faux, donne --date-order dmy, mdy ou ymd",
        "row %: %": "ligne % : %", "row %, % “%”: %": "ligne %, % « % » : %",
        "% charge confirmed|% charges confirmed": "% échéance confirmée|% échéances confirmées",
        "%: price % instead of % from %": "% : prix % au lieu de % à partir du %",
        "%: still charged after cancelling, % on %": "% : encore prélevé après la résiliation, % le %",
        "%: charged twice, % again on %": "% : prélevé deux fois, encore % le %",
        "%: charged twice, % again on %, which came back":
            "% : prélevé deux fois, encore % le %, qui a été remboursé",
        "No regular payments were left out.": "Aucun paiement régulier n'a été écarté.",
        "Regular payments that are not proposed:": "Paiements réguliers qui ne sont pas proposés :",
        "% payment, last % on %: % (%)|% payments, last % on %: % (%)":
            "% paiement, le dernier de % le % : % (%)|% paiements, le dernier de % le % : % (%)",
        "cash": "espèces", "transfer": "virement", "loan, rent or tax": "prêt, loyer ou impôt",
        "name of a person": "nom d'une personne",
        "Recurring charges; add them with --accept all, sure or their ids:":
            "Prélèvements récurrents ; ajoute-les avec --accept all, sure ou leurs identifiants :",
        "Add it? [y]es, [n]o, [a]ll the rest, [q]uit: ": "L'ajouter ? [o]ui, [n]on, [t]out le reste, [q]uitter : ",
        "Which column is it? Name or number, empty to stop: ":
            "De quelle colonne s'agit-il ? Nom ou numéro, vide pour arrêter : ",
        "positive amounts are charges": "les montants positifs sont des débits",
        "%  %: %, %, %": "%  % : %, %, %",
        "sure": "sûr", "likely": "probable", "unsure": "incertain",
    ]

    /// Errors of statements, and why a subscription is proposed.
    static let statementErrors: [String: String] = [
        "Must have at most % MB.": "% Mo au maximum",
        "Must have at most % entries.": "% écritures au maximum",
        "Not valid UTF-8. Use --encoding windows-1252 or utf-16.":
            "le texte n'est pas de l'UTF-8 valide : utilise --encoding windows-1252 ou utf-16",
        "The file names no currency. Use --currency EUR.":
            "le fichier n'indique aucune devise : utilise --currency EUR",
        "Must be a date, such as 2027-01-15.": "doit être une date, comme 15/01/2027",
        "Document types are not supported.": "les types de document ne sont pas pris en charge",
        "The markup is damaged.": "le balisage est endommagé",
        "The markup is nested too deeply.": "le balisage est trop imbriqué",
        "Not a bank statement: must be CSV, XLSX, OFX, QIF, CAMT.053 or MT940.":
            "ce n'est pas un relevé bancaire : CSV, XLSX, OFX, QIF, CAMT.053 ou MT940",
        "The file is not in %. Use --encoding %, or leave it out.":
            "le fichier n'est pas en % : utilise --encoding %, ou rien",
        "The file says that it is in %, which is not supported. Save it in UTF-8.":
            "le fichier se dit en %, qui n'est pas pris en charge : enregistre-le en UTF-8",
        "The file names no currency; % is assumed.": "Le fichier n'indique aucune devise ; % est supposé.",
        "No entry was found in the file.": "aucune écriture trouvée dans le fichier",
        "No entry was found in the file; columns: %. Use --map COLUMN=field to correct them.":
            "aucune écriture trouvée dans le fichier ; colonnes : %. Corrige-les avec --map COLONNE=champ",
        "No entry was found in the file: it has other lists only, %.":
            "aucune écriture trouvée dans le fichier, qui n'a que d'autres listes : %",
        "Not a list of entries: must be Bank, CCard, Cash, Oth A or Oth L.":
            "n'est pas une liste d'écritures : Bank, CCard, Cash, Oth A ou Oth L",
        "The file ends within this entry.": "le fichier est tronqué dans cette écriture",
        "Not a valid entry of MT940.": "n'est pas une écriture MT940 valide",
        "A line is too long.": "une ligne est trop longue",
        "This is an old Excel workbook. Save it as XLSX or CSV.":
            "c'est un ancien classeur Excel : enregistre-le en XLSX ou en CSV",
        "This is a PDF. Get the statement as CSV, XLSX, OFX, QIF, CAMT.053 or MT940 from the bank.":
            "c'est un PDF : demande le relevé à la banque en CSV, XLSX, OFX, QIF, CAMT.053 ou MT940",
        "The archive is damaged or encrypted.": "l'archive est endommagée ou chiffrée",
        "The archive has no statement: no workbook, and no file in XML or CSV.":
            "l'archive n'a pas de relevé : ni classeur, ni fichier XML ou CSV",
        "The archive has another archive. Unpack it first.":
            "l'archive en contient une autre : décompresse-la d'abord",
        "Another program has changed this database: %.": "un autre programme a modifié cette base de données : %",
        "The archive has several files. Unpack it and give them one by one.":
            "l'archive a plusieurs fichiers : décompresse-la et donne-les un par un",
        "Not booked, and left out: % with “%” in column %.":
            "Non comptabilisé, donc ignoré : % avec « % » dans la colonne %.",
        "Left out: % with “%” in column %, which may not be booked. Use --map %=ignore to count them.":
            "Ignoré : % avec « % » dans la colonne %, peut-être pas comptabilisé. Pour les compter : --map %=ignore.",
        "No word of column % says what was booked: %. All entries count.":
            "Aucun mot de la colonne % ne dit ce qui est comptabilisé : %. Toutes les écritures comptent.",
        "The balances show that positive amounts are charges.":
            "Les soldes montrent que les montants positifs sont des débits.",
        "The balances show that negative amounts are charges.":
            "Les soldes montrent que les montants négatifs sont des débits.",
        "Row % does not add up: the balance does not follow from the amount.":
            "La ligne % ne tombe pas juste : le solde ne découle pas du montant.",
        "Must have at most % columns.": "% colonnes au maximum",
        "Without an amount, and left out: %.": "Sans montant, donc ignorées : %.",
        "Further rows that do not add up: %.": "Autres lignes qui ne tombent pas juste : %.",
        "The entries do not add up to the difference of the balances: the file may be incomplete.":
            "Les écritures ne font pas la différence des soldes : le fichier est peut-être incomplet.",
        "The file ends too early.": "le fichier est tronqué",
        "The file has no columns.": "le fichier n'a pas de colonnes",
        "No proposal has the id %.": "aucune proposition n'a l'identifiant %",
        "% charges from % to %.": "% prélèvements du % au %.",
        "One charge is missing.": "Il manque un prélèvement.",
        "% charges are missing.": "Il manque % prélèvements.",
        "The amount varies from % to %.": "Le montant varie de % à %.",
        "The amount is %.": "Le montant est de %.",
        "The amount changed from % to % on %.": "Le montant est passé de % à % le %.",
        "The catalogue has %.": "Le catalogue connaît %.",
        "It was charged twice: % again on %.": "Il a été prélevé deux fois : encore % le %.",
        "It was charged twice on %, and % came back.": "Il a été prélevé deux fois le %, et % ont été remboursés.",
        "Another charge of % on % is set aside.": "Un autre prélèvement de % le % est mis de côté.",
        "The charge of % came back.": "Le prélèvement du % a été remboursé.",
        "The statement does not name the merchant.": "Le relevé ne nomme pas le commerçant.",
        "It is a direct debit.": "C'est un prélèvement automatique.",
        "It is a transfer, not a charge.": "C'est un virement et non un prélèvement.",
        "It looks like a loan, rent or tax.": "Cela ressemble à un prêt, à un loyer ou à un impôt.",
        "% other payments went to the same payee.": "% autres paiements sont allés au même bénéficiaire.",
        "It was seen only twice.": "Il n'a été vu que deux fois.",
        "One charge on %.": "Un prélèvement le %.",
        "The usual price there is %.": "Le prix habituel y est de %.",
        "No charge since %, though one was due on %.": "Aucun prélèvement depuis le %, alors qu'un était dû le %.",
    ]
}
