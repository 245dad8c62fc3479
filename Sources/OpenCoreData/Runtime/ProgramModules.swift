// SPDX-License-Identifier: Apache-2.0

/// The modules in the running program and its libraries that declare a type.
///
/// Reads the type records that the compiler puts into each image, as ``ProgramClasses`` does, and after the same checks
/// of their layout. A description of a type names its context, up to the module. A module without types isn't found.
enum ProgramModules {
    /// The names of the modules; nil if this toolchain or platform has another layout.
    static func names() -> Set<String>? {
        #if os(Linux) && _pointerBitWidth(_64)
            let images = ProgramClasses.sections()
            guard ProgramClasses.isLayoutKnown(images) else { return nil }
            var modules: [UnsafeRawPointer: String] = [:]
            for image in images {
                for record in ProgramClasses.records(of: image) {
                    guard let module = record.target.flatMap(module), modules[module] == nil else { continue }
                    modules[module] = name(of: module)
                }
            }
            return Set(modules.values)
        #else
            return nil
        #endif
    }

    #if os(Linux) && _pointerBitWidth(_64)
        /// The description of the module that contains a described type.
        private static func module(_ description: UnsafeRawPointer) -> UnsafeRawPointer? {
            var context = description
            for _ in 0..<64 {
                // The kind of a module is 0. The second word refers to the parent: directly, or through a pointer.
                if context.load(as: UInt32.self) & 0x1F == 0 { return context }
                let word = context.load(fromByteOffset: 4, as: Int32.self)
                guard word != 0 else { return nil }
                let parent = context + 4 + Int(word & ~1)
                guard let next = word & 1 == 0 ? parent : parent.load(as: UnsafeRawPointer?.self) else { return nil }
                context = next
            }
            return nil
        }

        private static func name(of module: UnsafeRawPointer) -> String {
            let text = module + 8 + Int(module.load(fromByteOffset: 8, as: Int32.self))
            return String(cString: text.assumingMemoryBound(to: CChar.self))
        }
    #endif
}
