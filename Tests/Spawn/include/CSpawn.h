// What Swift's Glibc module lacks for tests that start programs: a descriptor that another program inherits keeps a
// connection open that the test has closed, or the end of a pipe from ever coming.
#pragma once

#include <spawn.h>

/// Makes a pipe whose ends no program inherits by itself. Returns 0, or -1 and errno.
int catrace_pipe(int ends[2]);

/// As the last of the actions: the program keeps no descriptor from this one on. Returns 0 or an errno.
int catrace_close_from(posix_spawn_file_actions_t *actions, int first);
