/* Prints the hash of all numeric results (tests/unit/numeric_hash.h), by row with --rows: run on two machines, the lines must
   agree. Exit status 1 if the whole differs from the recorded one.  Needs no library, so that a cross-built program runs under an
   emulator. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../unit/numeric_hash.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--rows") == 0) {
        for (unsigned row = 0; row < BVM_TILE; row++)
            if (bvm_ops[row].form)
                printf("%-12s %016" PRIx64 "\n", bvm_ops[row].name, numeric_hash_row(row, 500));
        printf("%-12s %016" PRIx64 "\n", "text", numeric_hash_text(500));
    }
    uint64_t all = numeric_hash_all(500);
    printf("%-12s %016" PRIx64 "\n", "all", all);
    return all == NUMERIC_HASH ? 0 : 1;
}
