/* test_admission.c: the judgement without Slurm. Figures are those of the library. */
#include <stdio.h>
#include <string.h>

#include "admission.h"

static int failures;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static void test_description(void)
{
    EXPECT(admission_description(NULL) == NULL);
    EXPECT(admission_description("my job") == NULL);
    EXPECT(admission_description("clustersizes model=x") == NULL);
    EXPECT(strcmp(admission_description(" clustersize model=x"), " model=x") == 0);
    EXPECT(strcmp(admission_description("clustersize: tp=8"), " tp=8") == 0);
    EXPECT(strcmp(admission_description("clustersize"), "") == 0);
}

static void test_gpus(void)
{
    EXPECT(admission_gpus(NULL) == 0 && admission_gpus("") == 0);
    EXPECT(admission_gpus("gres:gpu:4") == 4 && admission_gpus("gpu:8") == 8);
    EXPECT(admission_gpus("gres:gpu") == 1 && admission_gpus("gres:gpu:h100") == 1);
    EXPECT(admission_gpus("gres:gpu:h100:4,gres:gpu:a100:2;license:x:9") == 6);
    EXPECT(admission_gpus("gres:gpu:2(S:0)") == 2 && admission_gpus("gres:gpus:3") == 0);
    EXPECT(admission_gpus("gres:gpu:4x") == -1);
    EXPECT(admission_gpus("gres:gpu:99999999999999999999") == -1);
}

static void test_judgement(void)
{
    static const char fits[] =
        "model=llama-3-8b accelerator=h100-sxm-80gb tp=2 zero=optimizer tokens=10M";
    static char longest[ADMISSION_TEXT_MAX + 2];
    admission answer;

    admission_judge(&answer, fits, 8);
    EXPECT(answer.admitted && answer.message[0] == '\0');
    EXPECT(answer.minutes >= 1 && answer.minutes < 60);
    admission_judge(&answer, "model=llama-3-8b accelerator=h100-sxm-80gb tp=2 zero=optimizer", 8);
    EXPECT(answer.admitted && answer.minutes == 0); /* no end without tokens */

    admission_judge(&answer, "model=llama-3-70b accelerator=h100-sxm-80gb tp=8 tokens=1B", 8);
    EXPECT(!answer.admitted && strncmp(answer.message, "does not fit: ", 14) == 0);
    EXPECT(strstr(answer.message, "GiB usable") != NULL);
    admission_judge(&answer, "model=llama-3-8b accelerator=h100-sxm-80gb tp=3 tokens=1B", 8);
    EXPECT(!answer.admitted && answer.message[0] != '\0');

    admission_judge(&answer, "model=llama-3-8b accelerator=h100-sxm-80gb accelerators=16", 8);
    EXPECT(strcmp(answer.message, "accelerators=16, but the job asks for 8") == 0);
    admission_judge(&answer, "model=lama-3-8b accelerator=h100-sxm-80gb", 8);
    EXPECT(!answer.admitted && strstr(answer.message, "lama-3-8b") != NULL);
    admission_judge(&answer, "colour=blue", 8);
    EXPECT(!answer.admitted && strstr(answer.message, "colour") != NULL);
    admission_judge(&answer, "", 8);
    EXPECT(!answer.admitted && answer.message[0] != '\0');
    admission_judge(&answer, fits, -1);
    EXPECT(!answer.admitted);
    memset(longest, 'x', sizeof longest - 1);
    admission_judge(&answer, longest, 8);
    EXPECT(!answer.admitted && strstr(answer.message, "4,096") != NULL);
    longest[ADMISSION_TEXT_MAX] = '\0';
    admission_judge(&answer, longest, 8);
    EXPECT(!answer.admitted && strstr(answer.message, "4,096") == NULL);
    memset(longest, '\xff', ADMISSION_TEXT_MAX);
    admission_judge(&answer, longest, 8);
    EXPECT(!answer.admitted);
}

int main(void)
{
    test_description();
    test_gpus();
    test_judgement();
    printf("%s, %d failures\n", failures == 0 ? "good" : "bad", failures);
    return failures != 0;
}
