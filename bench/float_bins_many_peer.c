#define BINS 1000000
#include "float_bins_peer.c"
