import SubGuardDomain

extension FieldError {
    /// The domain's error, with its field as a pointer.
    init(_ error: CatalogueFieldError) {
        self.init(pointer: "#/" + error.field, code: error.code, detail: error.detail)
    }
}
