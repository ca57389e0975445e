/* Races (--sanitize=race): which turn of which parallel loop touched a byte last.
 *
 * Each loop that runs is a level with a table of the blocks that its turns have touched; a byte has the turn
 * that wrote it and the turn that read it, MANY where several did.  Turns run one after the other; what two of them
 * do to one byte would have no order if they ran at once.  Memory that a turn makes is its own.
 */
#include <inttypes.h>
#include <string.h>

#include "sanitize.h"

#define MANY UINT32_MAX
enum { MAX_LEVELS = 16, BEGIN = 0, TURN, END, ATOMIC, PLAIN };

typedef struct Touched {
    uint32_t writer, reader; /* turns from 1; 0: none */
} Touched;

typedef struct Entry {
    BufvmBuffer *block; /* NULL: free; not counted, serial tells another block at its place */
    uint64_t serial, bytes;
    Touched *at;
} Entry;

typedef struct Level {
    uint32_t turn;
    Entry *entries; /* a hash table, a power of two */
    size_t used, room;
    Entry *last; /* found */
} Level;

struct BvmRace {
    BufvmAllocator allocator;
    BvmPool *pool; /* what blocks' tables take counts against its limit */
    Level levels[MAX_LEVELS];
    bool over_limit; /* why the last table was not made */
    unsigned depth;  /* loops that run; those past MAX_LEVELS are not watched */
    unsigned atomic; /* > 0: inside of an atomic update */
};

BvmRace *bvm_race_new(const BufvmAllocator *allocator, BvmPool *pool)
{
    BvmRace *race = bvm_mem_zalloc(allocator, sizeof *race);
    if (race)
        *race = (BvmRace){.allocator = *allocator, .pool = pool};
    return race;
}

static Touched *new_table(BvmRace *race, uint64_t bytes)
{
    uint64_t n;
    race->over_limit = __builtin_mul_overflow(bytes, sizeof(Touched), &n) || !bvm_pool_charge(race->pool, n);
    if (race->over_limit)
        return NULL;
    Touched *at = bvm_mem_zalloc(&race->allocator, n);
    if (!at)
        bvm_pool_discharge(race->pool, n);
    return at;
}

static void free_table(BvmRace *race, Entry *entry)
{
    bvm_mem_free(&race->allocator, entry->at, entry->bytes * sizeof(Touched));
    bvm_pool_discharge(race->pool, entry->bytes * sizeof(Touched));
}

static void close_level(BvmRace *race, Level *level)
{
    for (size_t i = 0; i < level->room; i++)
        if (level->entries[i].block)
            free_table(race, &level->entries[i]);
    bvm_mem_free(&race->allocator, level->entries, level->room * sizeof *level->entries);
    *level = (Level){0};
}

void bvm_race_forget(BvmRace *race)
{
    while (race->depth) {
        race->depth--;
        if (race->depth < MAX_LEVELS)
            close_level(race, &race->levels[race->depth]);
    }
    race->atomic = 0;
}

void bvm_race_free(BvmRace *race)
{
    if (!race)
        return;
    bvm_race_forget(race);
    BufvmAllocator a = race->allocator;
    bvm_mem_free(&a, race, sizeof *race);
}

/* -- blocks of a level ----------------------------------------------------------------------------------- */

static uint64_t serial_of(const BufvmBuffer *block)
{
    return block->shadow ? block->shadow->serial : 0;
}

static size_t home(const Level *level, const BufvmBuffer *block)
{
    return (size_t)(((uintptr_t)block >> 6) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (level->room - 1);
}

static Entry *find(Level *level, const BufvmBuffer *block)
{
    if (level->last && level->last->block == block)
        return level->last;
    if (!level->room)
        return NULL;
    size_t i = home(level, block);
    while (level->entries[i].block && level->entries[i].block != block)
        i = (i + 1) & (level->room - 1);
    level->last = level->entries[i].block ? &level->entries[i] : NULL;
    return level->last;
}

static bool grow(BvmRace *race, Level *level)
{
    race->over_limit = false;
    Level larger = *level;
    larger.room = level->room ? 2 * level->room : 32;
    larger.last = NULL;
    larger.entries = bvm_mem_zalloc(&race->allocator, larger.room * sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t k = 0; k < level->room; k++) {
        if (!level->entries[k].block)
            continue;
        size_t i = home(&larger, level->entries[k].block);
        while (larger.entries[i].block)
            i = (i + 1) & (larger.room - 1);
        larger.entries[i] = level->entries[k];
    }
    bvm_mem_free(&race->allocator, level->entries, level->room * sizeof *level->entries);
    *level = larger;
    return true;
}

static Entry *entry_of(BvmRace *race, Level *level, BufvmBuffer *block)
{
    Entry *entry = find(level, block);
    if (entry && entry->serial == serial_of(block) && entry->bytes == block->bytes)
        return entry;
    if (entry) { /* another block stood here */
        Touched *at = new_table(race, block->bytes);
        if (!at)
            return NULL;
        free_table(race, entry);
        *entry = (Entry){block, serial_of(block), block->bytes, at};
        return entry;
    }
    if (2 * level->used >= level->room && !grow(race, level))
        return NULL;
    Touched *at = new_table(race, block->bytes);
    if (!at)
        return NULL;
    size_t i = home(level, block);
    while (level->entries[i].block)
        i = (i + 1) & (level->room - 1);
    level->entries[i] = (Entry){block, serial_of(block), block->bytes, at};
    level->used++;
    return level->last = &level->entries[i];
}

/* -- what happens ------------------------------------------------------------------------------------------ */

BufvmStatus bvm_race_mark(BvmWorker *worker, unsigned what)
{
    BvmRace *race = worker->context->sanitizer->race;
    switch (what) {
    case BEGIN:
        if (race->depth < UINT32_MAX)
            race->depth++;
        break;
    case TURN:
        if (race->depth && race->depth <= MAX_LEVELS && race->levels[race->depth - 1].turn < MANY - 1)
            race->levels[race->depth - 1].turn++;
        break;
    case END:
        if (race->depth && --race->depth < MAX_LEVELS)
            close_level(race, &race->levels[race->depth]);
        break;
    case ATOMIC:
        race->atomic++;
        break;
    case PLAIN:
        race->atomic -= race->atomic > 0;
        break;
    default:
        break;
    }
    return BUFVM_OK;
}

static void conflict(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, const BufvmBuffer *block, uint64_t offset,
                     const Touched *t, uint32_t turn, bool writes)
{
    bool wrote = t->writer && t->writer != turn;
    if (!wrote && t->reader == MANY)
        bvm_report(worker, frame, pc, "race",
                   "turn %" PRIu32 " of a parallel loop writes byte %" PRIu64 " of a buffer of %" PRIu64
                   " bytes, which other turns read",
                   turn, offset, block->bytes);
    else
        bvm_report(
            worker, frame, pc, "race",
            "turn %" PRIu32 " of a parallel loop %s byte %" PRIu64 " of a buffer of %" PRIu64 " bytes, which turn %" PRIu32 " %s",
            turn, writes ? "writes" : "reads", offset, block->bytes, wrote ? t->writer : t->reader, wrote ? "writes" : "reads");
}

static BufvmStatus no_table(BvmWorker *worker, const BvmRace *race, const BufvmBuffer *block)
{
    return bvm_trap(worker, race->over_limit ? BUFVM_LIMIT : BUFVM_OUT_OF_MEMORY,
                    "out of memory: watching a buffer of %" PRIu64 " bytes for races takes %" PRIu64, block->bytes,
                    block->bytes * sizeof(Touched));
}

BufvmStatus bvm_race_access(BvmWorker *worker, const BvmFrame *frame, const uint64_t *pc, BufvmBuffer *block, uint64_t offset,
                            uint64_t bytes, bool writes)
{
    BvmRace *race = worker->context->sanitizer->race;
    for (unsigned k = 0; k < race->depth && k < MAX_LEVELS && !race->atomic; k++) {
        Level *level = &race->levels[k];
        Entry *entry = level->turn ? entry_of(race, level, block) : NULL;
        if (level->turn && !entry)
            return no_table(worker, race, block);
        for (uint64_t i = offset; entry && i < offset + bytes; i++) {
            Touched *t = &entry->at[i];
            if ((t->writer && t->writer != level->turn) || (writes && t->reader && t->reader != level->turn))
                conflict(worker, frame, pc, block, i, t, level->turn, writes);
            if (writes)
                t->writer = level->turn;
            else
                t->reader = t->reader && t->reader != level->turn ? MANY : level->turn;
        }
    }
    return BUFVM_OK;
}

void bvm_race_fresh(BvmRace *race, BufvmBuffer *block, uint64_t offset, uint64_t bytes)
{
    for (unsigned k = 0; k < race->depth && k < MAX_LEVELS; k++) {
        Entry *entry = find(&race->levels[k], block);
        if (entry && entry->bytes == block->bytes)
            memset(entry->at + offset, 0, bytes * sizeof(Touched));
    }
}
