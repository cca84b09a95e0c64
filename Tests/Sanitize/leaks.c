// Linked into everything that the address sanitizer's build makes: without it, LeakSanitizer takes for lost what is
// not.
//
// Swift hides pointers: in the payload of an enum, and in a string, it puts bits of its own into them, and the header
// of an object that is held weakly has the address of its counters, shifted. LeakSanitizer takes no such word for a
// pointer, and what is behind it for lost. So at the end of a process all memory in use is looked through for such
// words, and what they point to is told to it as being held. A ring that is closed by such a word is thereby missed;
// what merely has no owner any more is not.
//
// Programs that end by _exit look for no leaks: their other threads still run, and what one of them is about to give
// back has no owner at that moment. The same code runs in the tests, which end by exit, and in the soak.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void __lsan_register_root_region(const void *begin, size_t size);
int __asan_address_is_poisoned(void const volatile *address);

enum { MOST_HELD = 1 << 22, PIECE = 1 << 16 };

// On x86-64: where allocated memory may be, and where the sanitizer has its own notes of all memory.
static const uintptr_t heap_begin = 0x500000000000, heap_end = 0x800000000000;
static const uintptr_t notes_begin = 0x7fff7000, notes_end = 0x10007fff8000;

static uintptr_t *held;
static size_t held_count;
static uint64_t piece[PIECE / sizeof(uint64_t)];

static void hold(uintptr_t address) {
    if (address >= heap_begin && address < heap_end && held_count < MOST_HELD) held[held_count++] = address;
}

static void look_through(int memory, uintptr_t begin, uintptr_t end) {
    for (uintptr_t at = begin; at < end; at += PIECE) {
        size_t wanted = end - at < PIECE ? end - at : PIECE;
        // Memory may be given back meanwhile: that is an error here, not a fault.
        ssize_t words = pread(memory, piece, wanted, (off_t)at) / (ssize_t)sizeof(uint64_t);
        for (ssize_t index = 0; index < words; index++) {
            uint64_t word = piece[index];
            if (word >> 56 == 0) continue;
            // What was freed holds nothing.
            if (__asan_address_is_poisoned((void *)(at + index * sizeof(uint64_t)))) continue;
            hold(word & 0x00fffffffffffff8);
            if (word >> 62 == 3) hold(word << 3 & 0x00007ffffffffff8);
        }
    }
}

__attribute__((destructor)) static void look_through_everything(void) {
    size_t size = MOST_HELD * sizeof(uintptr_t);
    int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    held = mmap(NULL, size, PROT_READ | PROT_WRITE, kind, -1, 0);
    FILE *maps = fopen("/proc/self/maps", "re");
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (held == MAP_FAILED || maps == NULL || memory < 0) return;
    char line[4096];
    while (fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
        if (strncmp(rights, "rw", 2) != 0 || begin == (uintptr_t)held) continue;
        if (begin >= notes_begin && begin < notes_end) continue;
        look_through(memory, begin, end);
    }
    fclose(maps);
    close(memory);
    if (held_count > 0) __lsan_register_root_region(held, held_count * sizeof(uintptr_t));
}
