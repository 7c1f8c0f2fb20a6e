/* clustersize.h: does it fit, on which plan, how many, how long, how much.
 *
 * RULES THAT HOLD FOR EVERY FUNCTION
 *
 * Handles. csz_<object>_new returns a handle or NULL; out of memory is its only failure. Each
 * handle has one owner, who frees it with csz_<object>_free (NULL is allowed). No handle points to
 * another: each copies the allocator of its context, so handles may be freed in any order. A
 * context of NULL means realloc and free of libc. Pointers returned by ..._at and text returned by
 * ..._error belong to the handle and live until its next change.
 *
 * Errors. A call that can fail returns csz_status. Its message belongs to the call's first
 * argument: csz_<object>_error gives it, with the field it is about, until the next call with that
 * handle first; after success it is "". A call whose first argument is const returns a status only.
 * Input quoted in a message is printable ASCII, cut at 64 bytes. A failed call changes nothing,
 * except that a failed compute, select or size leaves its result empty (getters answer
 * CSZ_ERR_UNSET), never the former answer. NULL where a handle is needed: CSZ_ERR_ARGUMENT.
 *
 * Figures. Base units throughout (csz_unit): bytes, seconds, FLOP, watts, dollars. Counts are at
 * most 2^53, so the i64 and the f64 calls reach every numeric field and refuse (CSZ_ERR_TYPE) what
 * a type cannot hold exactly. Peak rates are dense. Reading an unset input gives its default, or
 * CSZ_ERR_UNSET when it has none. Bounds, unit, default and source of every field:
 * csz_field_to_json.
 *
 * Text out. Functions with (char *text, size_t capacity) follow snprintf: they return the full
 * length, write what fits, and end it with NUL if capacity is not 0. 0 means that there is nothing
 * to write.
 *
 * Threads. The library has no global state, lock, thread-local, clock, file, environment, locale or
 * signal. Any thread may use any handle, one thread at a time per handle; const calls on one handle
 * may run at the same time. It never aborts, prints, or recurses, and uses at most 32 KiB of stack.
 *
 * ABI. The SONAME is 0 until version 1.0. Functions, enumerators and their values are never removed
 * or changed within a SONAME, only added; a change that is not compatible renames every symbol
 * version, so that the loader refuses an old program instead of letting it misbehave. Handles are
 * opaque and enumerations 32 bits wide. Figures may change between releases, since facts and
 * constants improve; every JSON answer names the version and the date of the facts.
 *
 * Every symbol here was added in 0.1.0 unless its comment says otherwise.
 */
#ifndef CLUSTERSIZE_H
#define CLUSTERSIZE_H

#include <stddef.h>
#include <stdint.h>

#include <clustersize/enums.h>

#ifndef CSZ_API
#if defined(_WIN32) || !defined(__GNUC__)
#define CSZ_API
#else
#define CSZ_API __attribute__((visibility("default")))
#endif
#endif

#define CSZ_VERSION_STRING "0.1.0"
#define CSZ_VERSION_NUMBER 100 /* major * 10000 + minor * 100 + patch */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csz_context csz_context; /* an allocator */
typedef struct csz_catalog
    csz_catalog; /* what exists: models, accelerators, nodes, fabrics, offers, measured curves,
                    figures of operation and reliability, with sources */
typedef struct csz_workload csz_workload; /* the model and the job */
typedef struct csz_cluster
    csz_cluster; /* the machines: count, figures copied from a catalog, price, calibration */
typedef struct csz_plan
    csz_plan; /* degrees, sharding, micro-batch, recomputation, schedule, stack */
typedef struct csz_goal csz_goal;         /* objective, deadline, budget, limits on plans */
typedef struct csz_estimate csz_estimate; /* what follows from workload, cluster and plan */
typedef struct csz_ranking
    csz_ranking; /* plans or counts with their estimates, best first, and the rejections */
typedef struct csz_projection
    csz_projection; /* the run with its stops, rent against owning, what moves the cost, networks */
typedef struct csz_calibration
    csz_calibration; /* what was measured on a cluster, and what followed from it */

/* Allocates (old NULL), resizes or frees (new_size 0, returns NULL). old_size is what was asked for
 * before. */
typedef void *(*csz_realloc_fn)(void *user, void *old, size_t old_size, size_t new_size);

/* Called now and then with the share done (0 to 1); a non-zero answer cancels. */
typedef int (*csz_progress_fn)(void *user, double done);

/* ---- The whole question in one line ---- */

/* Answers a question given as JSON or as one line of text, with one JSON object: the figures, or
 * {"error": ...}. JSON: {"ask": "size" | "plan" | "fit" | "flops" | "cost" | "curve" | "network",
 * "catalog": {...}, "workload": {...}, "cluster": {...}, "plan": {...}, "goal": {...}}. Text: "size
 * model=llama-3-70b tokens=1T accelerator=h100-sxm-80gb deadline=14d": the word and then any input
 * fields, whose names are unique over all objects. cost and network are of the best plan on the
 * count. Allocates with libc and frees all of it. Text out. The same text is
 * computed again when a first call only asked for the length. */
CSZ_API size_t csz_question_answer(const char *question, char *json, size_t capacity);

/* ---- Version, names ---- */

CSZ_API const char *csz_version_string(void);
CSZ_API int32_t csz_version_number(void);
/* Date of the newest source in the built-in facts, "YYYY-MM". */
CSZ_API const char *csz_version_facts(void);
/* "CSZ_ERR_RANGE" and the like; "?" for a value that is no status. Static text. */
CSZ_API const char *csz_status_name(csz_status status);
/* One sentence why a plan cannot be; "" for CSZ_REASON_NONE; "?" for a value that is no reason.
 * Static text. */
CSZ_API const char *csz_reason_text(csz_reason reason);
/* The short name of a reason as JSON uses it ("kv_heads"). Static text. */
CSZ_API const char *csz_reason_name(csz_reason reason);
/* One sentence of an estimate's note; "?" for a value that is no note. Static text. */
CSZ_API const char *csz_note_text(csz_note note);

/* ---- Context ---- */

/* An allocator for the handles made with it. fn NULL means realloc and free of libc. The context
 * may be freed as soon as the handles are made; fn and user must outlive the handles. */
CSZ_API csz_context *csz_context_new(csz_realloc_fn fn, void *user);
CSZ_API void csz_context_free(csz_context *context);

/* ---- Fields ---- */

/* All fields of all objects, in the order of their ids. */
CSZ_API size_t csz_field_count(void);
/* CSZ_FIELD_NONE beyond the end. */
CSZ_API csz_field csz_field_at(size_t index);
/* By name, alias or list form ("kinds.heads"); CSZ_FIELD_NONE when there is none. Results are
 * "group.name". */
CSZ_API csz_field csz_field_by_name(const char *name);
/* Static texts, NULL for an unknown field. The alias is "" when there is none, the list "" when it
 * is no list field. */
CSZ_API const char *csz_field_name(csz_field field);
CSZ_API const char *csz_field_alias(csz_field field);
CSZ_API const char *csz_field_list(csz_field field);
CSZ_API const char *csz_field_text(csz_field field);
/* 0 for an unknown field. */
CSZ_API csz_unit csz_field_unit(csz_field field);
CSZ_API csz_type csz_field_type(csz_field field);
/* Name of a choice by its enumerator; NULL when it is none. */
CSZ_API const char *csz_field_choice(csz_field field, int64_t value);
/* Bounds of an input, both allowed. CSZ_ERR_UNSET when it has none (texts, results). */
CSZ_API csz_status csz_field_bounds(csz_field field, double *lowest, double *highest);
/* Default of an input. CSZ_ERR_UNSET when it has none. */
CSZ_API csz_status csz_field_default(csz_field field, double *value);
/* The whole row of the field table as one JSON object. */
CSZ_API size_t csz_field_to_json(csz_field field, char *json, size_t capacity);

/* "70B", "14d", "80GiB", "40%" to the base unit. CSZ_ERR_SYNTAX, CSZ_ERR_RANGE. */
CSZ_API csz_status csz_unit_parse(csz_unit unit, const char *text, double *value);
/* For people: four significant digits and a suffix. */
CSZ_API size_t csz_unit_format(csz_unit unit, double value, char *text, size_t capacity);

/* ---- Arithmetic ---- */

/* The rule of thumb that an estimate replaces, for comparison: flops / (rate x utilization x
 * seconds) accelerators, not rounded. flops is often 6 x parameters x tokens (Kaplan et al. 2020),
 * or 8 x with full recomputation (Narayanan et al. 2021, equation 4). rate is the dense peak in
 * FLOP/s of one accelerator, utilization above 0 and at most 1. All must be positive and finite:
 * CSZ_ERR_RANGE. */
CSZ_API csz_status csz_arithmetic_accelerators(double flops, double rate, double utilization,
                                               double seconds, double *accelerators);
/* The same for the time: flops / (accelerators x rate x utilization) seconds. */
CSZ_API csz_status csz_arithmetic_seconds(double flops, double accelerators, double rate,
                                          double utilization, double *seconds);

/* Whether more accelerators are worth it: efficiency is n1 T1 / (n2 T2), extra_hours what n2 T2 is
 * above n1 T1 in accelerator-hours, per_day the dollars for each day saved at a price for an hour.
 * So 64 in 10 days against 128 in 7.5 at $3: 67%, 7,680 hours, $9,216 a day. CSZ_ERR_RANGE unless
 * all are positive and finite (price may be 0), the second count is larger and its time less. */
CSZ_API csz_status csz_arithmetic_scaling(double accelerators, double seconds,
                                          double more_accelerators, double less_seconds,
                                          double price, double *efficiency, double *extra_hours,
                                          double *per_day);

/* ---- Catalog ---- */

/* The built-in facts, to which entries can be added. Wherever a catalog is taken, NULL means the
 * built-in facts. */
CSZ_API csz_catalog *csz_catalog_new(const csz_context *context);
CSZ_API void csz_catalog_free(csz_catalog *catalog);
/* Adds or overrides entries: {"accelerators": [{"id": "my-part", "memory": "80GiB", ...}],
 * "models": [...], "nodes": [...], "fabrics": [...], "offers": [...], "curves": [...],
 * "operations": [...], "reliability": [...]}, or a job file with that object under "catalog". An
 * entry that has the id of a known one keeps the fields that it does not name. All or nothing. */
CSZ_API csz_status csz_catalog_load(csz_catalog *catalog, const char *json, size_t length);
CSZ_API size_t csz_catalog_count(const csz_catalog *catalog, csz_kind kind);
/* NULL beyond the end. */
CSZ_API const char *csz_catalog_id_at(const csz_catalog *catalog, csz_kind kind, size_t index);
/* Exact id first; else the one id that name gives in full or begins, whatever its case and
 * separators and with or without an owner in front ("B200_SXM", "meta-llama/Meta-Llama-3-70B");
 * CSZ_ERR_UNKNOWN when none or several do. */
CSZ_API csz_status csz_catalog_find(const csz_catalog *catalog, csz_kind kind, const char *name,
                                    size_t *index);
/* The entries of a kind that meet conditions, in ascending order of a figure. text holds
 * "name=value name=value ..." on fields of that kind, all of which must hold: a text equals the
 * value, or a part of it between commas does, whatever the case and separators (market-median finds
 * "market median"); numbers are equal and take units (bytes=1MiB). NULL or "" is no condition; an
 * entry without that fact does not meet one. by is a numeric field of the kind: entries without
 * that figure are left out, equal ones keep the order of the table; CSZ_FIELD_NONE: all, in the
 * order of the table. Writes the first indices, at most capacity of them (NULL with capacity 0
 * counts only), and into *count how many entries there are in all. So the cheapest spot rental is
 * the index that this writes, if count is not 0:
 *
 *     csz_catalog_query(NULL, CSZ_KIND_OFFER, "accelerator=h100-sxm-80gb term=spot",
 *                       CSZ_OFFER_PRICE, &index, 1, &count);
 *
 * Nothing found is CSZ_OK. Values of the kinds operation and reliability are
 * in a unit that the entry names, so that their order means something under a condition on metric
 * or unit. CSZ_ERR_ARGUMENT: no such kind, count NULL, or indices NULL with a capacity;
 * CSZ_ERR_FIELD: a name, or by, is no field of the kind; CSZ_ERR_TYPE: by is a text;
 * CSZ_ERR_SYNTAX: not name=value, a name twice, a malformed number; CSZ_ERR_RANGE: a number beyond
 * all bounds; CSZ_ERR_LIMIT: text longer than 65,536 bytes. Allocates nothing; a failed call writes
 * nothing. */
CSZ_API csz_status csz_catalog_query(const csz_catalog *catalog, csz_kind kind, const char *text,
                                     csz_field by, size_t *indices, size_t capacity, size_t *count);
/* The kind follows from the field (CSZ_ACCELERATOR_MEMORY: an accelerator). CSZ_ERR_UNSET: the fact
 * is not known. */
CSZ_API csz_status csz_catalog_get_f64(const csz_catalog *catalog, size_t index, csz_field field,
                                       double *value);
CSZ_API size_t csz_catalog_get_text(const csz_catalog *catalog, size_t index, csz_field field,
                                    char *text, size_t capacity);
/* Where an entry's figures come from: "source; date; confidence", and its doubts. Text out. */
CSZ_API size_t csz_catalog_source(const csz_catalog *catalog, csz_kind kind, size_t index,
                                  char *text, size_t capacity);
/* All entries, in the form that csz_catalog_load reads. */
CSZ_API size_t csz_catalog_to_json(const csz_catalog *catalog, char *json, size_t capacity);
CSZ_API const char *csz_catalog_error(const csz_catalog *catalog, csz_field *field);

/* Rows of the stack table, which a plan's stack names: training software with its byte counts and
 * time constants. NULL beyond the end; static text. */
CSZ_API size_t csz_stack_count(void);
CSZ_API const char *csz_stack_id_at(size_t index);
/* What the row stands for and where its figures come from. */
CSZ_API const char *csz_stack_source_at(size_t index);

/* ---- Inputs: workload, cluster, plan, goal ---- */

/* set takes "name=value name=value ...": values take units, list elements are addressed as
 * runs[1].layers=4, all or nothing, ids first. load sets what the text holds and keeps the rest,
 * all or nothing, null unsets; unknown keys of the library's own JSON are refused, those of foreign
 * JSON are ignored. set_i64 and set_f64 of a choice take its enumerator; of a list field they mean
 * element 0, the _at forms any element up to the first free one. unset restores the default.
 * to_json writes the fields that are set. Texts (ids) are set by set or load. */

CSZ_API csz_workload *csz_workload_new(const csz_context *context);
CSZ_API void csz_workload_free(csz_workload *workload);
CSZ_API csz_status csz_workload_copy(csz_workload *to, const csz_workload *from);
CSZ_API csz_status csz_workload_set(csz_workload *workload, const csz_catalog *catalog,
                                    const char *text);
CSZ_API csz_status csz_workload_set_i64(csz_workload *workload, csz_field field, int64_t value);
CSZ_API csz_status csz_workload_set_f64(csz_workload *workload, csz_field field, double value);
CSZ_API csz_status csz_workload_set_f64_at(csz_workload *workload, csz_field field, size_t index,
                                           double value);
CSZ_API csz_status csz_workload_unset(csz_workload *workload, csz_field field);
CSZ_API csz_status csz_workload_get_i64(const csz_workload *workload, csz_field field,
                                        int64_t *value);
CSZ_API csz_status csz_workload_get_f64(const csz_workload *workload, csz_field field,
                                        double *value);
CSZ_API csz_status csz_workload_get_f64_at(const csz_workload *workload, csz_field field,
                                           size_t index, double *value);
CSZ_API size_t csz_workload_get_text(const csz_workload *workload, csz_field field, char *text,
                                     size_t capacity);
/* 1 when the field has been given a value (element 0 of a list), else 0. */
CSZ_API int csz_workload_is_set(const csz_workload *workload, csz_field field);
/* Elements of the list that the field belongs to; 1 for a flat field. */
CSZ_API size_t csz_workload_count(const csz_workload *workload, csz_field field);
/* Sets what the text says and keeps the rest, all or nothing. A workload is read from every source.
 * CSZ_SOURCE_HUGGING_FACE and CSZ_SOURCE_MISTRAL (config.json, params.json) replace the model and
 * keep the job. CSZ_SOURCE_MEGATRON reads "--option value" as a shell splits words, or lines of
 * "option: value"; with --num-layers the list is whole: it replaces the model, but for a vocabulary
 * that it leaves to a tokenizer's file, and Megatron-LM's defaults stand for what it does not say.
 * CSZ_SOURCE_DEEPSPEED reads batch, optimizer and number formats. Options and keys of foreign
 * sources without a meaning here are ignored; those that change the answer and have no field are
 * CSZ_ERR_UNKNOWN with their name. */
CSZ_API csz_status csz_workload_load(csz_workload *workload, const csz_catalog *catalog,
                                     csz_source source, const char *text, size_t length);
CSZ_API size_t csz_workload_to_json(const csz_workload *workload, char *json, size_t capacity);
CSZ_API const char *csz_workload_error(const csz_workload *workload, csz_field *field);

CSZ_API csz_cluster *csz_cluster_new(const csz_context *context);
CSZ_API void csz_cluster_free(csz_cluster *cluster);
CSZ_API csz_status csz_cluster_copy(csz_cluster *to, const csz_cluster *from);
CSZ_API csz_status csz_cluster_set(csz_cluster *cluster, const csz_catalog *catalog,
                                   const char *text);
CSZ_API csz_status csz_cluster_set_i64(csz_cluster *cluster, csz_field field, int64_t value);
CSZ_API csz_status csz_cluster_set_f64(csz_cluster *cluster, csz_field field, double value);
CSZ_API csz_status csz_cluster_unset(csz_cluster *cluster, csz_field field);
CSZ_API csz_status csz_cluster_get_i64(const csz_cluster *cluster, csz_field field, int64_t *value);
CSZ_API csz_status csz_cluster_get_f64(const csz_cluster *cluster, csz_field field, double *value);
CSZ_API size_t csz_cluster_get_text(const csz_cluster *cluster, csz_field field, char *text,
                                    size_t capacity);
CSZ_API int csz_cluster_is_set(const csz_cluster *cluster, csz_field field);
CSZ_API csz_status csz_cluster_load(csz_cluster *cluster, const csz_catalog *catalog,
                                    csz_source source, const char *text, size_t length);
CSZ_API size_t csz_cluster_to_json(const csz_cluster *cluster, char *json, size_t capacity);
CSZ_API const char *csz_cluster_error(const csz_cluster *cluster, csz_field *field);

CSZ_API csz_plan *csz_plan_new(const csz_context *context);
CSZ_API void csz_plan_free(csz_plan *plan);
CSZ_API csz_status csz_plan_copy(csz_plan *to, const csz_plan *from);
CSZ_API csz_status csz_plan_set(csz_plan *plan, const char *text);
CSZ_API csz_status csz_plan_set_i64(csz_plan *plan, csz_field field, int64_t value);
CSZ_API csz_status csz_plan_set_f64(csz_plan *plan, csz_field field, double value);
CSZ_API csz_status csz_plan_unset(csz_plan *plan, csz_field field);
CSZ_API csz_status csz_plan_get_i64(const csz_plan *plan, csz_field field, int64_t *value);
CSZ_API csz_status csz_plan_get_f64(const csz_plan *plan, csz_field field, double *value);
CSZ_API size_t csz_plan_get_text(const csz_plan *plan, csz_field field, char *text,
                                 size_t capacity);
CSZ_API int csz_plan_is_set(const csz_plan *plan, csz_field field);
/* CSZ_SOURCE_JSON, CSZ_SOURCE_MEGATRON (degrees, sharding, micro-batch, recomputation, kernel; the
 * stack becomes megatron) or CSZ_SOURCE_DEEPSPEED (ZeRO stage, micro-batch; the stack becomes
 * deepspeed): the texts that csz_workload_load reads. */
CSZ_API csz_status csz_plan_load(csz_plan *plan, csz_source source, const char *text,
                                 size_t length);
CSZ_API size_t csz_plan_to_json(const csz_plan *plan, char *json, size_t capacity);
CSZ_API const char *csz_plan_error(const csz_plan *plan, csz_field *field);

/* ---- Launches: a plan as the file of the training software, and back ---- */

/* Writes the plan with its workload for the software that source names: one of CSZ_SOURCE_MEGATRON,
 * DEEPSPEED, TORCHTITAN, ACCELERATE, NANOTRON, NEMO and MAXTEXT (csz_launch_version says which
 * release). As snprintf: text takes what fits of capacity bytes with its NUL, *length (may be NULL)
 * what the whole needs without it. The plan's stack must be one of that software's, or unset.
 * estimate may be NULL; of one at CSZ_DEPTH_RUN of the same plan come the steps of the run, the
 * interval of checkpoints and the time limit of a batch script. What was written has been read back
 * and gave the same plan and job: what the software's options do not say is CSZ_ERR_CONFLICT with the
 * field, never left out. Other errors are those of csz_estimate_compute. The message is the plan's.
 * @since 0.1.0 */
CSZ_API csz_status csz_plan_to_launch(csz_plan *plan, const csz_workload *workload,
                                      const csz_cluster *cluster, const csz_estimate *estimate,
                                      csz_source source, csz_launch_part part, char *text,
                                      size_t capacity, size_t *length);
/* Sets plan and workload from a file of these. The model may be set before: it stays where the file
 * has none. Files of torchtitan, accelerate, nanotron and MaxText are whole: what they leave out is
 * as that software has it by default, whatever was set; of the others it stays. cluster (may be
 * NULL) gives the count of accelerators, which some files leave open. YAML and TOML are read in the
 * subset that such files use; what lies outside, options given twice, and options that contradict
 * each other by the software's own rules are refused with line and column. Of a shell script
 * (CSZ_SOURCE_MEGATRON) the arguments in arrays, assigned texts, here-documents and behind the
 * program are read; those under a condition, and variables that matter, are refused. All or
 * nothing. The message is the plan's. @since 0.1.0 */
CSZ_API csz_status csz_plan_load_launch(csz_plan *plan, csz_workload *workload,
                                        const csz_cluster *cluster, csz_source source,
                                        const char *text, size_t length);
/* The options of a file that have no part in an answer, one a line ("line 12: lr_scheduler.steps"),
 * as snprintf; nothing when the text cannot be read. @since 0.1.0 */
CSZ_API size_t csz_launch_notes(csz_source source, const char *text, size_t length, char *notes,
                                size_t capacity);
/* Name and release of the software whose documentation the options were checked against
 * ("torchtitan v0.2.2"), as snprintf; nothing for sources that are no launch. @since 0.1.0 */
CSZ_API size_t csz_launch_version(csz_source source, char *text, size_t capacity);

CSZ_API csz_goal *csz_goal_new(const csz_context *context);
CSZ_API void csz_goal_free(csz_goal *goal);
CSZ_API csz_status csz_goal_copy(csz_goal *to, const csz_goal *from);
CSZ_API csz_status csz_goal_set(csz_goal *goal, const char *text);
CSZ_API csz_status csz_goal_set_i64(csz_goal *goal, csz_field field, int64_t value);
CSZ_API csz_status csz_goal_set_f64(csz_goal *goal, csz_field field, double value);
CSZ_API csz_status csz_goal_unset(csz_goal *goal, csz_field field);
CSZ_API csz_status csz_goal_get_i64(const csz_goal *goal, csz_field field, int64_t *value);
CSZ_API csz_status csz_goal_get_f64(const csz_goal *goal, csz_field field, double *value);
CSZ_API size_t csz_goal_get_text(const csz_goal *goal, csz_field field, char *text,
                                 size_t capacity);
CSZ_API int csz_goal_is_set(const csz_goal *goal, csz_field field);
CSZ_API csz_status csz_goal_load(csz_goal *goal, csz_source source, const char *text,
                                 size_t length);
CSZ_API size_t csz_goal_to_json(const csz_goal *goal, char *json, size_t capacity);
CSZ_API const char *csz_goal_error(const csz_goal *goal, csz_field *field);
/* Lowest and highest value that a ranking may give to a numeric or choice field of a plan; equal
 * values fix it. What a search does not vary (kernels, stage layers, recomputed modules, offload)
 * can only be fixed. CSZ_ERR_RANGE outside the field's bounds, CSZ_ERR_TYPE for a fraction of what
 * is counted. */
CSZ_API csz_status csz_goal_limit(csz_goal *goal, csz_field plan_field, double lowest,
                                  double highest);
/* Which software the plans are for: a row of the stack table, or NULL for any. */
CSZ_API csz_status csz_goal_stack(csz_goal *goal, const char *stack);

/* ---- Estimate ---- */

CSZ_API csz_estimate *csz_estimate_new(const csz_context *context);
CSZ_API void csz_estimate_free(csz_estimate *estimate);
/* Room for that many pipeline stages, so that compute does not allocate. At most 1,024. */
CSZ_API csz_status csz_estimate_reserve(csz_estimate *estimate, size_t stages);
/* Checks the inputs and computes. A plan that does not fit is an answer (CSZ_OK;
 * CSZ_ESTIMATE_MEMORY_FIT says no, or CSZ_ESTIMATE_HOST_FIT of the nodes); a plan that cannot exist
 * is CSZ_ERR_CONFLICT (see csz_estimate_reason); an input that is needed and unset, as the memory
 * of nodes that take up offload, is CSZ_ERR_MISSING. At CSZ_DEPTH_MODEL cluster and plan may be
 * NULL. Allocates only when it meets more pipeline stages than before. */
CSZ_API csz_status csz_estimate_compute(csz_estimate *estimate, const csz_workload *workload,
                                        const csz_cluster *cluster, const csz_plan *plan,
                                        csz_depth depth);
/* Why the last compute answered CSZ_ERR_CONFLICT, in the vocabulary of rankings; CSZ_REASON_NONE
 * otherwise. */
CSZ_API csz_reason csz_estimate_reason(const csz_estimate *estimate);
/* The largest sequence_length, global_batch or micro_batch that fits on what there is, the least
 * memory of an accelerator, or the largest model of the family of the workload's model: varied says
 * which, *value what was found (of a model its index in the catalog), with at least that confidence
 * (as fit_confidence of a goal). All else is kept: lengths are multiples of 2 x context x tensor
 * parallelism, batches of the replicas; a figure that memory does not bound comes back at the upper
 * bound of its field. The estimate is that of the answer. CSZ_ERR_CONFLICT when nothing fits,
 * CSZ_ERR_FIELD for another field. A failed call writes no value. Allocates and frees room for the
 * inputs. */
CSZ_API csz_status csz_estimate_largest(csz_estimate *estimate, const csz_catalog *catalog,
                                        const csz_workload *workload, const csz_cluster *cluster,
                                        const csz_plan *plan, csz_field varied, double confidence,
                                        double *value);
CSZ_API csz_status csz_estimate_get_i64(const csz_estimate *estimate, csz_field field,
                                        int64_t *value);
CSZ_API csz_status csz_estimate_get_f64(const csz_estimate *estimate, csz_field field,
                                        double *value);
/* low, likely and high, an 80% band; three equal values where the figure is exact. Pointers may be
 * NULL. */
CSZ_API csz_status csz_estimate_get_range(const csz_estimate *estimate, csz_field field,
                                          double *low, double *likely, double *high);
/* values[i] of fields[i]; the first failure is returned and nothing is written then. */
CSZ_API csz_status csz_estimate_get_many(const csz_estimate *estimate, const csz_field *fields,
                                         size_t count, double *values);
/* Text of a value, choices by name. Text out. */
CSZ_API size_t csz_estimate_get_text(const csz_estimate *estimate, csz_field field, char *text,
                                     size_t capacity);
/* Pipeline stages for a stage field, operations for one of theirs; 1 for others; 0 before a
 * computation. */
CSZ_API size_t csz_estimate_count(const csz_estimate *estimate, csz_field field);
CSZ_API csz_status csz_estimate_get_f64_at(const csz_estimate *estimate, csz_field field,
                                           size_t index, double *value);
/* What was assumed or widens the band: CSZ_NOTE_NONE beyond the end. */
CSZ_API csz_note csz_estimate_note_at(const csz_estimate *estimate, size_t index);
CSZ_API size_t csz_estimate_to_json(const csz_estimate *estimate, char *json, size_t capacity);
CSZ_API const char *csz_estimate_error(const csz_estimate *estimate, csz_field *field);

/* ---- Projection: the run, the money, the network ---- */

CSZ_API csz_projection *csz_projection_new(const csz_context *context);
CSZ_API void csz_projection_free(csz_projection *projection);
/* From a plan to a decision: the run with failures, restarts and checkpoints; renting by the
 * cluster's price and by the usual quotes of the catalog; owning; energy; what moves either cost.
 * Ranges come from those of step, failures, restart and price by full factorial strata, without
 * random numbers. Fields of the cluster (its groups 2200, 2400 and 2500) say what is not usual.
 * Failures are those of csz_estimate_compute at CSZ_DEPTH_RUN; besides CSZ_ERR_CONFLICT for a
 * commitment longer than the run without pay_unused, for a restart_time stated beside its parts,
 * for a checkpoint_interval below an asynchronous write, and for a run that might not advance. Rent
 * is unset without a price, owning without a purchase price. Allocates nothing. Takes the network's
 * figures out. */
CSZ_API csz_status csz_projection_compute(csz_projection *projection, const csz_catalog *catalog,
                                          const csz_workload *workload, const csz_cluster *cluster,
                                          const csz_plan *plan);
/* The same job and plan on each fabric of the catalog, the bandwidth below which the network is the
 * bottleneck, what oversubscription costs; and what a network for the cluster is built of:
 * switches, links, racks, power, by topology, switch_radix and oversubscription. CSZ_ERR_CONFLICT
 * beyond what three levels of switches join. Takes the figures of csz_projection_compute out. */
CSZ_API csz_status csz_projection_network(csz_projection *projection, const csz_catalog *catalog,
                                          const csz_workload *workload, const csz_cluster *cluster,
                                          const csz_plan *plan);
/* Reads a curve of counts off the entries of csz_ranking_curve (or of any ranking ordered by
 * count): scaling efficiency, what each count costs more for a day saved, the knee, the cheapest,
 * the fastest within the goal's budget, the cheapest within its deadline (goal NULL: neither). The
 * cluster gives the price. CSZ_ERR_UNSET for a ranking without a run's time. */
CSZ_API csz_status csz_projection_curve(csz_projection *projection, const csz_ranking *ranking,
                                        const csz_cluster *cluster, const csz_goal *goal);
/* As csz_estimate_reason. */
CSZ_API csz_reason csz_projection_reason(const csz_projection *projection);
/* CSZ_ERR_UNSET: not computed, or what it needs is not known. Without an index element 0 of a list.
 */
CSZ_API csz_status csz_projection_get_f64(const csz_projection *projection, csz_field field,
                                          double *value);
/* As csz_estimate_get_range. */
CSZ_API csz_status csz_projection_get_range(const csz_projection *projection, csz_field field,
                                            double *low, double *likely, double *high);
CSZ_API csz_status csz_projection_get_f64_at(const csz_projection *projection, csz_field field,
                                             size_t index, double *value);
/* Texts, choices by name. Text out. */
CSZ_API size_t csz_projection_get_text_at(const csz_projection *projection, csz_field field,
                                          size_t index, char *text, size_t capacity);
/* Elements of the list that the field belongs to; 1 for others. */
CSZ_API size_t csz_projection_count(const csz_projection *projection, csz_field field);
CSZ_API size_t csz_projection_to_json(const csz_projection *projection, char *json,
                                      size_t capacity);
CSZ_API const char *csz_projection_error(const csz_projection *projection, csz_field *field);

/* ---- Calibration ---- */

/* Measurements of one kind of machine: steps of runs, outputs of nccl-tests, the rate of a large
 * matrix product, the bandwidth of a copy. They are collected in a handle and then applied to a
 * cluster at once:
 *
 *     csz_calibration_add_run(calibration, workload, plan, 64, 8.31, 0);
 *     csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_UNKNOWN, 0, text, length);
 *     csz_cluster_calibrate(cluster, calibration);
 *
 * A limit on power is a field of the cluster, CSZ_CLUSTER_POWER_LIMIT. */
CSZ_API csz_calibration *csz_calibration_new(const csz_context *context);
CSZ_API void csz_calibration_free(csz_calibration *calibration);
/* Adds a measured run; workload and plan are copied, of a workload's phases the first counts.
 * accelerators: of the run, 0 for the count that the calibrated cluster has. step_seconds: mean
 * time of a step without checkpoints and failures. uncertainty: standard deviation of ln(predicted
 * / measured) that is to be expected of this run, error of measurement and of the model together,
 * at most 1; 0 for the model's own, 0.05. CSZ_ERR_RANGE for a time that is not positive and finite;
 * CSZ_ERR_LIMIT beyond 1,024 runs; CSZ_ERR_NO_MEMORY. */
CSZ_API csz_status csz_calibration_add_run(csz_calibration *calibration,
                                           const csz_workload *workload, const csz_plan *plan,
                                           int64_t accelerators, double step_seconds,
                                           double uncertainty);
/* Adds what all_reduce_perf, all_gather_perf, reduce_scatter_perf or alltoall_perf of nccl-tests
 * (or of RCCL) printed, one output or several one after another, with the lines of ranks. Which
 * test it was, the text tells for all_reduce and where a line names the program; otherwise
 * collective does. ranks: 0 for what the text lists. Used are times out of place.
 * CSZ_ERR_SYNTAX for a cut line, with its number; CSZ_ERR_MISSING without any line of figures, for
 * unknown ranks or test; CSZ_ERR_CONFLICT for wrong values, or where the text contradicts the
 * arguments; CSZ_ERR_LIMIT beyond 256 outputs. Outputs of one size alone give a bandwidth and keep
 * the usual latency. */
CSZ_API csz_status csz_calibration_add_nccl(csz_calibration *calibration, csz_collective collective,
                                            int64_t ranks, const char *text, size_t length);
/* The rate in FLOP/s that one accelerator sustains in large square products of a number format
 * (cuBLAS, mamf-finder), and B/s that it reads and writes in a large copy (twice the bytes copied a
 * second). uncertainty as of a run; 0: 0.07 and 0.05, how far whole steps lie from such tests. A
 * later call replaces an earlier one. */
CSZ_API csz_status csz_calibration_set_gemm(csz_calibration *calibration, csz_format format,
                                            double flops_per_second, double uncertainty);
CSZ_API csz_status csz_calibration_set_copy(csz_calibration *calibration, double bytes_per_second,
                                            double uncertainty);
/* Fits the cluster to the measurements and stores, all or nothing:
 * outputs of nccl-tests as link_measured_bandwidth, link_latency, scale_out_measured_bandwidth,
 * scale_out_latency, and all-to-all as link_expert_bandwidth and scale_out_expert_bandwidth. Scope
 * follows from ranks and hosts against scale_up_domain; all outputs of a scope share one line, time
 * = latencies + size x factor / bandwidth (relative least squares), so that several counts of nodes
 * give the latency of a node.
 * Then compute_multiplier, memory_multiplier, link_multiplier and scale_out_multiplier, by least
 * squares on ln(predicted / measured) with normal priors on ln(multiplier) around what the cluster
 * carries, inside bounds (Levenberg and Marquardt; priors and bounds: the multipliers of the
 * result). One run moves mostly compute; runs that differ in what binds them tell the rates apart.
 * CSZ_ERR_MISSING: nothing was measured, or an input of a run is unset; CSZ_ERR_RANGE: a step
 * faster than its FLOPs at the dense peak or its memory traffic at the printed bandwidth, with that
 * floor in seconds, a collective or a rate above the printed one (5% tolerated for collectives), or
 * a multiplier that stands outside the bounds; CSZ_ERR_CONFLICT: a run whose plan cannot be. The
 * message is the cluster's, runs are counted from 0. A failed call leaves the cluster as it was and
 * the results empty. Allocates nothing. */
CSZ_API csz_status csz_cluster_calibrate(csz_cluster *cluster, csz_calibration *calibration);
/* Results of the last csz_cluster_calibrate: CSZ_ERR_UNSET before it. Without an index element 0 of
 * a list. */
CSZ_API csz_status csz_calibration_get_f64(const csz_calibration *calibration, csz_field field,
                                           double *value);
CSZ_API csz_status csz_calibration_get_f64_at(const csz_calibration *calibration, csz_field field,
                                              size_t index, double *value);
/* Choices by name. Text out. */
CSZ_API size_t csz_calibration_get_text_at(const csz_calibration *calibration, csz_field field,
                                           size_t index, char *text, size_t capacity);
/* Elements of the list that the field belongs to: runs and collectives as added; multipliers 0
 * before a result; 1 for others. */
CSZ_API size_t csz_calibration_count(const csz_calibration *calibration, csz_field field);
CSZ_API size_t csz_calibration_to_json(const csz_calibration *calibration, char *json,
                                       size_t capacity);
CSZ_API const char *csz_calibration_error(const csz_calibration *calibration, csz_field *field);

/* ---- Ranking ---- */

CSZ_API csz_ranking *csz_ranking_new(const csz_context *context);
CSZ_API void csz_ranking_free(csz_ranking *ranking);
CSZ_API void csz_ranking_set_progress(csz_ranking *ranking, csz_progress_fn fn, void *user);
/* All valid plans for the cluster's count, best first by the goal's objective (NULL: least time);
 * at most goal.rows entries; every rejected plan is counted with its reason. CSZ_OK with no entry
 * when no plan is valid or fits. */
CSZ_API csz_status csz_ranking_select(csz_ranking *ranking, const csz_workload *workload,
                                      const csz_cluster *cluster, const csz_goal *goal);
/* The least count of accelerators, in whole nodes, whose best plan meets deadline and budget: entry
 * 0. The entries after it are the best plans at other counts around it, ordered by count: the trade
 * of count against time and cost. The cluster's own count is ignored. Without deadline and budget:
 * the least count that fits. When no count meets the goal, CSZ_RANKING_ACCELERATORS is unset and
 * the entries show what powers of two of nodes give. */
CSZ_API csz_status csz_ranking_size(csz_ranking *ranking, const csz_workload *workload,
                                    const csz_cluster *cluster, const csz_goal *goal);
/* The best plan at each of a ladder of counts, ascending: 1, 2, 3, 4, 6, 8, 12, ... nodes between
 * the goal's least and most count, in whole pods where pod_accelerators is stated. Deadline and
 * budget leave no count out: csz_projection_curve reads the answer off the curve. */
CSZ_API csz_status csz_ranking_curve(csz_ranking *ranking, const csz_workload *workload,
                                     const csz_cluster *cluster, const csz_goal *goal);
/* What one change of a given plan would do: each entry is a plan that differs from it in one field
 * (or a few that must change together), best first; for a plan that does not fit, first the changes
 * that make it fit, and pairs of changes where no single one is enough. */
CSZ_API csz_status csz_ranking_advise(csz_ranking *ranking, const csz_workload *workload,
                                      const csz_cluster *cluster, const csz_plan *plan);
CSZ_API size_t csz_ranking_count(const csz_ranking *ranking);
/* NULL beyond the end. They belong to the ranking and live until its next change; copy a plan to
 * keep it. */
CSZ_API const csz_plan *csz_ranking_plan_at(const csz_ranking *ranking, size_t index);
CSZ_API const csz_estimate *csz_ranking_estimate_at(const csz_ranking *ranking, size_t index);
CSZ_API size_t csz_ranking_reject_count(const csz_ranking *ranking);
/* Reasons with the number of plans each, the largest first. */
CSZ_API csz_status csz_ranking_reject_at(const csz_ranking *ranking, size_t index,
                                         csz_reason *reason, double *plans);
CSZ_API csz_status csz_ranking_get_f64(const csz_ranking *ranking, csz_field field, double *value);
CSZ_API size_t csz_ranking_to_json(const csz_ranking *ranking, char *json, size_t capacity);
CSZ_API const char *csz_ranking_error(const csz_ranking *ranking, csz_field *field);

#ifdef __cplusplus
}
#endif

#endif
