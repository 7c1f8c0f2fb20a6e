/* fuzz_question.c: whole questions as text or JSON, and the setters behind them; the answer is
 * valid JSON and its length does not depend on the capacity. Searches are left out: they take long
 * by design. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clustersize/clustersize.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answer(const char *question)
{
    cszi_error error;
    cszi_json json;
    cszi_json_value root;
    size_t length = csz_question_answer(question, NULL, 0);
    char *answer = malloc(length + 1);
    if (answer == NULL)
        return;
    if (csz_question_answer(question, answer, length + 1) != length || strlen(answer) != length ||
        cszi_json_open(&json, answer, length, 0, &error, &root) != CSZ_OK)
        abort();
    free(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char lead[] = "fit model=gpt2-small accelerator=h100-sxm-80gb accelerators=8 ";
    char *question = malloc(sizeof lead + size + 1);
    if (question == NULL || size > 65536) {
        free(question);
        return 0;
    }
    memcpy(question, lead, sizeof lead - 1);
    memcpy(question + sizeof lead - 1, data, size);
    question[sizeof lead - 1 + size] = '\0';
    check_answer(question);
    memmove(question, data, size);
    question[size] = '\0';
    if (question[0] == '{' && strstr(question, "\"fit\"") != NULL)
        check_answer(question);
    free(question);
    return 0;
}
