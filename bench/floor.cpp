// What deciding a deal costs at least: the shuffle of a seed as `Deal.from_seed` specifies it, the tables by place, and
// one greedy run that plays as early as possible; a deal that it does not decide is not searched.
// usage: floor PIVOT_SIZE UP REDEALS DEALS, with UP 1 or 0 -> nanoseconds a deal up to each stage, one after another
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
typedef uint64_t u64;

static const u64 GAMMA = 0x9E3779B97F4A7C15ULL;
static uint8_t card_at[52], place_of[52];
static u64 after[52], before[52];
static u64 tableau, pivot, needed;

static inline int lowest(u64 cards) { return __builtin_ctzll(cards); }
static inline u64 top_of(u64 cards) { return 1ULL << (63 - __builtin_clzll(cards)); }
static inline u64 below(int place) { return (1ULL << place) - 1; }

// SplitMix64's output in a state.
static inline u64 mixed(u64 state) {
  state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ULL;
  state = (state ^ state >> 27) * 0x94D049BB133111EBULL;
  return state ^ state >> 31;
}

static void shuffle(u64 seed) {
  for (int i = 0; i < 52; i++) card_at[i] = i;
  for (unsigned size = 52; size > 1; size--) {
    unsigned index;
    for (;;) {
      seed += GAMMA;
      unsigned __int128 product = (unsigned __int128)mixed(seed) * size;
      index = (unsigned)(product >> 64);
      if ((u64)product >= size || (u64)product >= -(u64)size % size) break;
    }
    uint8_t drawn = card_at[index];
    card_at[index] = card_at[size - 1];
    card_at[size - 1] = drawn;
  }
}

static void number_cards(int pivot_size, bool up) {
  int base = card_at[pivot_size + 8] % 13;
  for (int i = 0; i < 52; i++) {
    int suit = card_at[i] / 13, step = card_at[i] - 13 * suit - base;
    if (!up) step = -step;
    if (step < 0) step += 13;
    place_of[13 * suit + step] = i;
  }
  for (int suit = 0; suit < 4; suit++)
    for (int step = 0; step < 13; step++) {
      int place = place_of[13 * suit + step];
      after[place] = step < 12 ? 1ULL << place_of[13 * suit + step + 1] : 0;
      before[place] = step ? 1ULL << place_of[13 * suit + step - 1] : 0;
    }
  pivot = below(pivot_size);
  tableau = below(pivot_size + 8) ^ pivot;
  needed = after[pivot_size + 8];
  for (int suit = 0; suit < 4; suit++)
    if (suit != card_at[pivot_size + 8] / 13) needed |= 1ULL << place_of[13 * suit];
}

// Whether the pivot can be exhausted, as the kernel's lemma *greedy* asks.
static bool may_exhaust(int pivot_size, int redeals) {
  u64 outside = below(52) ^ below(pivot_size + 9), turned = below(pivot_size + 9);
  u64 p = pivot, t = tableau, n = needed;
  for (;;) {
    while (p & (p - 1)) {
      u64 card = n & t;
      if (!card) break;
      card &= -card;
      n ^= card | after[lowest(card)];
      u64 top = top_of(p);
      p ^= top;
      t ^= card | top;
    }
    if (!(p & (p - 1)) && n & (t | p)) return true;
    for (;;) {
      u64 card = outside & turned;
      if (card && n & top_of(card)) {
        card = top_of(card);
      } else {
        card = n & outside & ~turned;
        card &= -card;
        if (card) turned = (card << 1) - 1;
      }
      if (card) {
        n ^= card | after[lowest(card)];
        outside ^= card;
        break;
      }
      if (!redeals || !(n & outside)) return false;
      redeals--;
      turned = 0;
    }
  }
}

int main(int count, char** arguments) {
  if (count != 5) return 2;
  int pivot_size = atoi(arguments[1]), redeals = atoi(arguments[3]), deals = atoi(arguments[4]);
  bool up = atoi(arguments[2]);
  for (int stages = 1; stages <= 3; stages++) {
    auto started = std::chrono::steady_clock::now();
    u64 sum = 0;  // what is found is used, so that no stage is optimised away
    for (int seed = 0; seed < deals; seed++) {
      shuffle(seed);
      if (stages > 1) number_cards(pivot_size, up);
      sum += stages > 2 ? may_exhaust(pivot_size, redeals) : stages > 1 ? needed & tableau : card_at[0];
    }
    double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const char* names[] = {"shuffle", "tables", "greedy"};
    printf("%s %.1f %llu\n", names[stages - 1], took / deals * 1e9, (unsigned long long)sum);
  }
}
