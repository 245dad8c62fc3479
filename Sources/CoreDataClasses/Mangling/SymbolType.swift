/// A type as symbol names know it.
indirect enum SymbolType: Hashable, Sendable {
    /// A type of the standard library with a short code: `S` for String, `i` for Int.
    case standard(String)
    /// A class (`C`), structure (`V`), or enumeration (`O`), in a module or in another type.
    case nominal(parent: SymbolType?, module: String, name: String, kind: Character, discriminator: String?)
    case bound(SymbolType, [SymbolType])
    case optional(SymbolType)
    case array(SymbolType)
    case set(SymbolType)
    case dictionary(SymbolType, SymbolType)
    case any
    case anyObject
    case void

    /// The module that declares a nominal type.
    var module: String? {
        guard case .nominal(_, let module, _, _, _) = self else { return nil }
        return module
    }
}

extension SymbolType {
    /// A class, structure or enumeration of the running program, not nested in another type.
    ///
    /// The tool is built by the toolchain that builds its user's package, so that both agree where Foundation declares
    /// a type.
    init?(of type: Any.Type) {
        guard let mangled = _mangledTypeName(type), let kind = mangled.last else { return nil }
        if mangled.count == 2 && mangled.first == "S" {
            self = .standard(String(kind))
            return
        }
        let parts = _typeName(type, qualified: true).split(separator: ".").map(String.init)
        guard parts.count == 2, "CVO".contains(kind) else { return nil }
        self = .nominal(parent: nil, module: parts[0], name: parts[1], kind: kind, discriminator: nil)
    }
}
