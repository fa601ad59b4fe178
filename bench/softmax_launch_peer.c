#include "softmax_peer.c"
