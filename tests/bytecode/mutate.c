/* Damaged modules: mutate [--step=N] [--from=N] FILE.vmasm...
 *
 * Every single-bit flip (each N-th with --step, the module named golden by golden) and every truncation of the golden modules - the
 * files' and the made ones of forms.h - through trial.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "trial.h"

static bool mutate(const Golden *g, size_t step, size_t first, Tally *tally)
{
    Trial trial = {.open = GOLDEN_LANES};
    uint8_t *copy = malloc(g->size);
    memcpy(copy, g->data, g->size);
    if (g->nwant > GOLDEN_LANES)
        trial.open = (int64_t)g->nwant; /* the output that it asks for */
    bool ok = true;
    for (size_t i = first % step; i < g->size && ok; i += step) {
        trial_note("%s: cut to %zu bytes", g->name, i);
        ok = trial_run(copy, i, &trial, tally);
    }
    for (size_t i = first % step; i < 8 * g->size && ok; i += step) {
        trial_note("%s: bit %zu of byte %zu flipped", g->name, i % 8, i / 8);
        copy[i / 8] ^= (uint8_t)(1u << i % 8);
        ok = trial_run(copy, g->size, &trial, tally);
        copy[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    free(copy);
    return ok;
}

int main(int argc, char **argv)
{
    size_t step = 1, bytes = 0;
    Goldens goldens = {0};
    bool ok = goldens_make(&goldens);
    for (int i = 1; i < argc && ok; i++) {
        if (strncmp(argv[i], "--step=", 7) == 0)
            step = strtoul(argv[i] + 7, NULL, 10);
        else
            ok = goldens_read(&goldens, argv[i]);
    }
    step = step ? step : 1;
    trial_open_note("mutate.trial");
    Tally tally;
    memset(&tally, 0, sizeof tally);
    for (size_t i = 0; i < goldens.n && ok; i++) {
        bytes += goldens.all[i].size;
        ok = mutate(&goldens.all[i], step, i, &tally);
    }
    if (ok) {
        printf("%zu modules of %zu bytes, every bit and length of which %zu-th is tried: ", goldens.n, bytes, step);
        trial_print(&tally);
        trial_close_note();
    }
    goldens_free(&goldens);
    return !ok;
}
