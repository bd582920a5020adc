import JSONWire
import SubGuardDomain

extension FieldError {
    /// The domain's error, its field below the item at `pointer`.
    init(_ error: CatalogueFieldError, at pointer: String = "#") {
        self.init(pointer: "\(pointer)/\(error.field)", code: error.code, detail: error.detail)
    }
}

extension FaultList<FieldError> {
    /// Every rule that the item at `pointer` breaks.
    init(_ errors: CatalogueFieldErrors, at pointer: String) {
        self.init()
        for error in errors.errors { note(FieldError(error, at: pointer)) }
    }
}
