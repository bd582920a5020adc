extension French {
    /// Balances and repayments.
    static let sharingMessages: [String: String] = [
        "% owes you % since %": "% te doit % depuis le %", "you owe % % since %": "tu dois à % % depuis le %",
        "you owe me % since %": "tu me dois % depuis le %", "I owe you % since %": "je te dois % depuis le %",
        "Hi %, everything is settled between us.": "Bonjour %, nous sommes quittes.", "%:": "% :",
        "Hi %, %": "Bonjour %, %",
        "your part of what is shared": "ta part de ce qui est partagé",
        "in full; --net counts only your part": "en entier ; --net ne compte que ta part",
        "repayment": "remboursement",
    ]

    static let sharingErrors: [String: String] = [
        "You always bear a part yourself.": "Tu portes toujours une part toi-même.",
        "You cannot be deleted.": "Tu ne peux pas être supprimé.",
        "Something is open with this person; see `balance`. To delete anyway: --force.":
            "Un compte est ouvert avec cette personne ; voir `balance`. Pour supprimer quand même : --force.",
        "Must be another person.": "Doit être une autre personne.",
        "--message requires a person": "--message demande une personne",
    ]
}
