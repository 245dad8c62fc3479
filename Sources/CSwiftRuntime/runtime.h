// SPDX-License-Identifier: Apache-2.0

// The Swift runtime's conditional retain: NULL for an object whose deinit has begun.
// Declared by the toolchain's own HeapObject.h with these types and the C calling convention.
void *_Nullable swift_tryRetain(void *_Nonnull object);

#if defined(__linux__)
// CoreFoundation's public function, which Foundation on Linux exports without its header: a number object, retained.
// Its types are those of Apple's CFNumber.h: an allocator, a CFNumberType, and where the value is.
const void *_Nullable CFNumberCreate(const void *_Nullable allocator, long type, const void *_Nonnull value);
extern const void *_Nonnull const kCFAllocatorSystemDefault;
#endif

#if defined(__linux__)
// Calls the body with the metadata sections of each loaded image; stops when it returns false. Exported by the Swift runtime
// for ELF and for tools that look for types by name.
#include <stdbool.h>
void swift_enumerateAllMetadataSections(bool (*_Nonnull body)(const void *_Nonnull sections, void *_Nullable context), void *_Nullable context);
#endif

// Counts several strong references to an object at once: the runtime's own, declared by the toolchain's HeapObject.h.
#include <stdint.h>
void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);

// The number of strong references to an object, declared there too.
#include <stddef.h>
size_t swift_retainCount(void *_Nonnull object);

// libdispatch's public dispatch_queue_get_label, which Swift replaces by DispatchQueue.label: with NULL it names the current
// queue, which Swift can't ask for. Under another name, as the imported declaration is unavailable.
const char *_Nullable opencoredata_queue_label(void *_Nullable queue) __asm__("dispatch_queue_get_label");

#if defined(__linux__)
// The C library's number of the calling thread, as the system's tools show it.
int opencoredata_thread_number(void) __asm__("gettid");
#endif

#if defined(__linux__)
// Call an initializer of a class in Swift's calling convention: the class is in the register of self, and the initializer takes
// over one reference to each object.
static inline void *_Nonnull opencoredata_initialize(const void *_Nonnull function, const void *_Nonnull type) {
  typedef void *_Nonnull (*Initializer)(__attribute__((swift_context)) const void *_Nonnull) __attribute__((swiftcall));
  return ((Initializer)function)(type);
}

static inline void *_Nonnull opencoredata_initialize_with_objects(const void *_Nonnull function, void *_Nonnull first,
                                                                  void *_Nonnull second, const void *_Nonnull type) {
  typedef void *_Nonnull (*Initializer)(void *_Nonnull, void *_Nonnull, __attribute__((swift_context)) const void *_Nonnull)
      __attribute__((swiftcall));
  return ((Initializer)function)(first, second, type);
}
#endif

// The runtime's unowned references, declared by the toolchain's HeapObject.h: they keep the memory of an object whose deinit
// has run, so that swift_tryRetain can be asked about it.
void *_Nonnull swift_unownedRetain(void *_Nonnull object);
void swift_unownedRelease(void *_Nonnull object);

#if defined(__linux__)
#include <features.h>
#endif
#if defined(__GLIBC__)
// The number of the thread-local storage of a loaded library, 0 if it has none: what the library's thread-local variables are
// found by. Public functions of the C library, whose header Swift doesn't import.
#include <string.h>
struct opencoredata_tls_index { unsigned long module; unsigned long offset; };
void *_Nullable __tls_get_addr(struct opencoredata_tls_index *_Nonnull index);

struct opencoredata_program_info {
  unsigned long address;
  const char *_Nullable name;
  const void *_Nullable headers;
  unsigned short header_count;
  unsigned long long additions;
  unsigned long long removals;
  unsigned long tls_module;
  void *_Nullable tls_data;
};
int opencoredata_iterate_libraries(int (*_Nonnull body)(struct opencoredata_program_info *_Nonnull info, unsigned long size, void *_Nullable context), void *_Nullable context) __asm__("dl_iterate_phdr");

struct opencoredata_library_search { const char *_Nonnull name; unsigned long module; };
static inline int opencoredata_compare_library(struct opencoredata_program_info *_Nonnull info, unsigned long size, void *_Nullable context) {
  struct opencoredata_library_search *search = (struct opencoredata_library_search *)context;
  if (size < sizeof *info || !info->name || !strstr(info->name, search->name)) return 0;
  search->module = info->tls_module;
  return 1;
}
static inline unsigned long opencoredata_tls_module(const char *_Nonnull name) {
  struct opencoredata_library_search search = { name, 0 };
  opencoredata_iterate_libraries(opencoredata_compare_library, &search);
  return search.module;
}
// A word of the current thread's storage of a library.
static inline unsigned long opencoredata_tls_word(unsigned long module, unsigned long offset) {
  struct opencoredata_tls_index index = { module, offset };
  return *(unsigned long *)__tls_get_addr(&index);
}

// The storage of a library that is loaded with the program has one distance from the thread pointer in all threads.
#include <pthread.h>
static inline void *_Nullable opencoredata_tls_distance(void *_Nullable index) {
  return (void *)((char *)__tls_get_addr((struct opencoredata_tls_index *)index) - (char *)__builtin_thread_pointer());
}
// That distance of a word; 0 if another thread has another one.
static inline long opencoredata_fixed_tls_distance(unsigned long module, unsigned long offset) {
  struct opencoredata_tls_index index = { module, offset };
  pthread_t thread;
  void *other = 0;
  if (pthread_create(&thread, 0, opencoredata_tls_distance, &index) != 0) return 0;
  if (pthread_join(thread, &other) != 0) return 0;
  return other == opencoredata_tls_distance(&index) ? (long)other : 0;
}
static inline unsigned long opencoredata_word_from_thread_pointer(long distance) {
  return *(unsigned long *)((char *)__builtin_thread_pointer() + distance);
}
#endif
