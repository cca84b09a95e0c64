// Counts allocations of the whole process: linked into a program, these take the place of the C library's.
#pragma once

/// How often memory was asked for since the program began, in all threads.
unsigned long allocation_count(void);
