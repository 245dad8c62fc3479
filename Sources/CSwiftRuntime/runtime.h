// The Swift runtime's conditional retain: NULL for an object whose deinit has begun.
// Declared by the toolchain's own HeapObject.h with these types and the C calling convention.
void *_Nullable swift_tryRetain(void *_Nonnull object);
