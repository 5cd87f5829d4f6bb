/* Random games of Connect Four and Breakthrough on bits, as one would write them by hand for speed.
 *
 * Each game begins at the start, each move is drawn uniformly from all legal ones, and a game ends as
 * the rules say. Nothing is kept of a game but who won. `by_hand GAME GAMES SEED` prints the games
 * won by the first player, the moves made, and the processor seconds that this took.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state;

static inline uint64_t next_random(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* Uniform below a small limit; the bias is less than 2^-26. */
static inline unsigned below(unsigned limit)
{
    return (unsigned)(((next_random() >> 32) * limit) >> 32);
}

static inline int nth_bit(uint64_t word, unsigned number)
{
    while (number--)
        word &= word - 1;
    return __builtin_ctzll(word);
}

/* ---------------------------------------------------------------- Connect Four
 *
 * A column has seven bits, the highest of which stays empty; bit 7 * column + row. */

#define BOTTOM 0x0000040810204081ull
#define BOARD (BOTTOM * 0x3F)

static inline int four(uint64_t own)
{
    static const int ways[] = {1, 7, 6, 8};
    for (int at = 0; at < 4; at++) {
        uint64_t pairs = own & (own >> ways[at]);
        if (pairs & (pairs >> 2 * ways[at]))
            return 1;
    }
    return 0;
}

static int connect_four(uint64_t *moves)
{
    uint64_t own = 0, all = 0;
    for (int turn = 0; turn < 42; turn++) {
        uint64_t open = (all + BOTTOM) & BOARD;
        int at = nth_bit(open, below((unsigned)__builtin_popcountll(open)));
        uint64_t bit = 1ull << at;
        own |= bit;
        all |= bit;
        ++*moves;
        if (four(own))
            return turn % 2 ? -1 : 1;
        own ^= all;
    }
    return 0;
}

/* ---------------------------------------------------------------- Breakthrough
 *
 * Eight by eight, bit 8 * row + column. The board is turned after each move, so that whoever is to
 * move always goes upward. */

#define NOT_WEST 0xFEFEFEFEFEFEFEFEull
#define NOT_EAST 0x7F7F7F7F7F7F7F7Full

static int breakthrough(uint64_t *moves)
{
    uint64_t own = 0xFFFF, other = 0xFFFFull << 48;
    for (int turn = 0;; turn++) {
        uint64_t straight = (own << 8) & ~(own | other);
        uint64_t west = ((own & NOT_WEST) << 7) & ~own;
        uint64_t east = ((own & NOT_EAST) << 9) & ~own;
        unsigned first = (unsigned)__builtin_popcountll(straight);
        unsigned second = (unsigned)__builtin_popcountll(west);
        unsigned number = first + second + (unsigned)__builtin_popcountll(east);
        if (!number)
            return turn % 2 ? 1 : -1;
        unsigned drawn = below(number);
        int to, from;
        if (drawn < first) {
            to = nth_bit(straight, drawn);
            from = to - 8;
        } else if ((drawn -= first) < second) {
            to = nth_bit(west, drawn);
            from = to - 7;
        } else {
            to = nth_bit(east, drawn - second);
            from = to - 9;
        }
        own ^= 1ull << from | 1ull << to;
        other &= ~(1ull << to);
        ++*moves;
        if (to >= 56 || !other)
            return turn % 2 ? -1 : 1;
        uint64_t turned = __builtin_bswap64(own);
        own = __builtin_bswap64(other);
        other = turned;
    }
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    int (*play)(uint64_t *) = strcmp(words[1], "connect_four") ? breakthrough : connect_four;
    long games = atol(words[2]);
    state = strtoull(words[3], NULL, 10);
    uint64_t moves = 0;
    long won = 0;
    clock_t start = clock();
    for (long game = 0; game < games; game++)
        won += play(&moves) > 0;
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%ld %llu %.6f\n", won, (unsigned long long)moves, seconds);
    return 0;
}
