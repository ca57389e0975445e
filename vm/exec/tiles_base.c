/* Tile instructions for what every machine of the architecture has. */
#define TILE_TABLE bvm_tiles_base
#include "tile_rows.h"
