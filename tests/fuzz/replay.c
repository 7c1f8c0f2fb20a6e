/* replay.c: runs a fuzz target over files, and over the files of directories, without a fuzzer.
 * Linked with one target. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LIMIT (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replayed;

/* The bytes move to a block of their exact size, so that a sanitizer or valgrind sees a read beyond
 * the end. */
static int replay_file(const char *path)
{
    static uint8_t buffer[LIMIT];
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    size_t size;

    if (file == NULL) {
        perror(path);
        return 0;
    }
    size = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    data = malloc(size > 0 ? size : 1);
    if (data == NULL) {
        perror(path);
        return 0;
    }
    memcpy(data, buffer, size);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    replayed++;
    return 1;
}

static int replay_directory(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    int good = 1;

    if (directory == NULL) {
        perror(path);
        return 0;
    }
    while ((entry = readdir(directory)) != NULL) {
        char name[2048];
        int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);

        if (entry->d_name[0] != '.') {
            good &= length < (int)sizeof name && replay_file(name);
        }
    }
    closedir(directory);
    return good;
}

int main(int argc, char **argv)
{
    int good = 1;
    int i;

    for (i = 1; i < argc; i++) {
        struct stat status;

        if (stat(argv[i], &status) != 0) {
            perror(argv[i]);
            good = 0;
        } else if (S_ISDIR(status.st_mode)) {
            good &= replay_directory(argv[i]);
        } else {
            good &= replay_file(argv[i]);
        }
    }
    printf("%d inputs replayed\n", replayed);
    return good && replayed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
