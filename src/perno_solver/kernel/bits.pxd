# What `bits.py` says, in C: single instructions for the three questions, constants that the compiler sees, structs.

ctypedef unsigned long long u64

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
    #define PERNO_ONE 1ULL
    #define PERNO_ALL 4503599627370495ULL
    #define PERNO_HALF 4294967295ULL
    #define PERNO_WORD 18446744073709551615ULL
    #define PERNO_GAMMA 11400714819323198485ULL
    #define PERNO_MIX_1 13787848793156543929ULL
    #define PERNO_MIX_2 10723151780598845931ULL
    """
    int lowest(u64 x) noexcept nogil
    int highest(u64 x) noexcept nogil
    int count(u64 x) noexcept nogil
    const u64 ONE "PERNO_ONE"
    const u64 ALL "PERNO_ALL"
    const u64 HALF "PERNO_HALF"
    const u64 WORD "PERNO_WORD"
    const u64 GAMMA "PERNO_GAMMA"
    const u64 MIX_1 "PERNO_MIX_1"
    const u64 MIX_2 "PERNO_MIX_2"

cdef enum:
    RUNNING = 0
    WON = 1
    LOST = 2
    STATES_OUT = 3
    MEMORY_OUT = 4
    STOPPED = 5

    TURN = 0
    REDEAL = 1
    PLAY = 2
    FILL = 3
    PACK = 4

    RUN = 1
    GREEDY = 2
    HOLD = 4
    LAST = 8
    BURY = 16
    END = 32
    TRIGGER = 64
    DEAD = 128
    PLAY_FIRST = 256
    PILE = 512
    SAFE = 1024
    UNDO = 2048
    GLUE = 4096
    PACK_HOLD = 8192
    BOUND = 16384
    WHEEL = 32768
    DIG = 65536

    MOST_REDEALS = 63
    PULSE = 4096

cdef struct State:
    u64 T
    u64 P
    u64 K
    u64 O
    u64 N
    u64 H
    unsigned short F
    unsigned char ptr
    int rd

cdef struct Node:
    State at
    unsigned int depth
    unsigned char exhausts
    unsigned char final
    unsigned char lifted

cdef struct Joins:
    u64 now
    u64 later

ctypedef Node *p_Node

cdef inline State copied(State state) noexcept nogil:
    return state
