cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int lowest(unsigned long long x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int highest(unsigned long long x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    static __inline int count(unsigned long long x) { return (int)__popcnt64(x); }
    #else
    static inline int lowest(unsigned long long x) { return __builtin_ctzll(x); }
    static inline int highest(unsigned long long x) { return 63 - __builtin_clzll(x); }
    static inline int count(unsigned long long x) { return __builtin_popcountll(x); }
    #endif
    """
    int lowest(unsigned long long x) noexcept nogil
    int highest(unsigned long long x) noexcept nogil
    int count(unsigned long long x) noexcept nogil
