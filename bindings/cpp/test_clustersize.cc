// test_clustersize.cc: the C++ header against an installed library. Figures are compared with those
// of the C functions, since the header has no logic of its own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <clustersize/clustersize.hpp>

static int failures;
static std::size_t live; // allocations of the counting allocator
static bool refuse;      // makes the next allocation fail

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)

// The error that a call throws; a call that throws nothing is a failure.
template <typename Call>
static csz::error thrown(Call call)
{
    try {
        call();
    } catch (const csz::error &caught) {
        return caught;
    }
    std::printf("nothing was thrown\n");
    ++failures;
    return csz::error(CSZ_OK, CSZ_FIELD_NONE, "");
}

static void *count_realloc(void *, void *old, std::size_t, std::size_t size)
{
    if (size == 0) {
        live -= old != nullptr;
        std::free(old);
        return nullptr;
    }
    if (refuse)
        return nullptr;
    live += old == nullptr;
    return std::realloc(old, size);
}

template <typename T>
static void expect_move_only()
{
    static_assert(!std::is_copy_constructible<T>::value && !std::is_copy_assignable<T>::value,
                  "one owner");
    static_assert(std::is_nothrow_move_constructible<T>::value && std::is_move_assignable<T>::value,
                  "can be moved");
}

static void test_inputs()
{
    csz::plan plan("tp=8 pp=2");

    EXPECT(plan.get<std::int64_t>(CSZ_PLAN_TENSOR_PARALLEL) == 8);
    plan.set(CSZ_PLAN_PIPELINE_PARALLEL, 4u).set(CSZ_PLAN_SHARDING, CSZ_SHARDING_OPTIMIZER);
    plan.set(CSZ_PLAN_SEQUENCE_PARALLEL, true).set(CSZ_PLAN_OFFLOAD_OPTIMIZER, 0.5);
    EXPECT(plan.get<double>(CSZ_PLAN_PIPELINE_PARALLEL) == 4);
    EXPECT(plan.get<csz_sharding>(CSZ_PLAN_SHARDING) == CSZ_SHARDING_OPTIMIZER);
    EXPECT(plan.get<std::string>(CSZ_PLAN_SHARDING) == "optimizer");
    EXPECT(plan.get<bool>(CSZ_PLAN_SEQUENCE_PARALLEL));
    EXPECT(plan.get<double>(CSZ_PLAN_OFFLOAD_OPTIMIZER) == 0.5);

    csz::plan copy = plan.copy();
    copy.unset(CSZ_PLAN_TENSOR_PARALLEL);
    EXPECT(!copy.is_set(CSZ_PLAN_TENSOR_PARALLEL) && plan.is_set(CSZ_PLAN_TENSOR_PARALLEL));

    csz::workload workload;
    workload.load(CSZ_SOURCE_JSON, "{\"model\": \"llama-3-8b\", \"tokens\": \"1T\"}");
    EXPECT(workload.get<std::string>(CSZ_WORKLOAD_MODEL) == "llama-3-8b");
    EXPECT(workload.count(CSZ_WORKLOAD_LAYERS) == 1);
    workload.set_at(CSZ_WORKLOAD_LAYERS, 1, 3);
    EXPECT(workload.count(CSZ_WORKLOAD_LAYERS) == 2);
    EXPECT(workload.get_at(CSZ_WORKLOAD_LAYERS, 1) == 3);
    EXPECT(workload.to_json().find("llama-3-8b") != std::string::npos);
}

static void test_errors()
{
    csz::plan plan("tp=8");
    csz::error bounds = thrown([&] { plan.set(CSZ_PLAN_TENSOR_PARALLEL, 0); });
    EXPECT(bounds.status() == CSZ_ERR_RANGE && bounds.field() == CSZ_PLAN_TENSOR_PARALLEL);
    EXPECT(std::strcmp(bounds.field_name(), "tensor_parallel") == 0);
    EXPECT(std::strstr(bounds.message(), "65536") != nullptr);
    EXPECT(std::strcmp(bounds.what(), bounds.message()) == 0);
    EXPECT(plan.get<std::int64_t>(CSZ_PLAN_TENSOR_PARALLEL) == 8);

    EXPECT(thrown([&] { plan.set(CSZ_PLAN_MICRO_BATCH, UINT64_MAX); }).status() != CSZ_OK);
    EXPECT(thrown([&] { plan.set(CSZ_PLAN_MICRO_BATCH, 1.5); }).status() == CSZ_ERR_TYPE);
    EXPECT(thrown([&] { plan.set(CSZ_WORKLOAD_HIDDEN, 1); }).status() == CSZ_ERR_FIELD);
    EXPECT(thrown([&] { plan.set("tp=\x01"); }).status() == CSZ_ERR_SYNTAX);
    EXPECT(thrown([] { csz::workload("model=lama-3-70b"); }).status() == CSZ_ERR_UNKNOWN);

    // A const call has no message: status and field name stand in for it.
    csz::estimate estimate;
    csz::error unset = thrown([&] { estimate.get<double>(CSZ_ESTIMATE_STEP_TIME); });
    EXPECT(unset.status() == CSZ_ERR_UNSET);
    EXPECT(std::strcmp(unset.what(), "CSZ_ERR_UNSET: step.time") == 0);
    EXPECT(thrown([] { csz::parse(CSZ_UNIT_SECOND, "14 parsecs"); }).status() == CSZ_ERR_SYNTAX);
    EXPECT(thrown([] { csz::catalog().find(CSZ_KIND_MODEL, "?"); }).status() == CSZ_ERR_UNKNOWN);
}

// Use after a move is refused, and a double free cannot be written.
static void test_ownership()
{
    expect_move_only<csz::context>();
    expect_move_only<csz::catalog>();
    expect_move_only<csz::workload>();
    expect_move_only<csz::cluster>();
    expect_move_only<csz::plan>();
    expect_move_only<csz::goal>();
    expect_move_only<csz::estimate>();
    expect_move_only<csz::ranking>();
    expect_move_only<csz::calibration>();
    static_assert(!std::is_convertible<std::string, csz::plan>::value, "explicit");

    {
        csz::context context(count_realloc, nullptr);
        csz::plan first(context), second(context);
        first.set("tp=2");
        second = std::move(first);
        EXPECT(second.get<std::int64_t>(CSZ_PLAN_TENSOR_PARALLEL) == 2);
        csz::error moved = thrown([&] { first.set("tp=4"); });
        EXPECT(moved.status() == CSZ_ERR_ARGUMENT && std::strlen(moved.what()) > 0);
        EXPECT(thrown([&] { first.get<double>(CSZ_PLAN_MICRO_BATCH); }).status() ==
               CSZ_ERR_ARGUMENT);
        EXPECT(first.raw() == nullptr && first.to_json() == "{}");
        refuse = true;
        EXPECT(thrown([&] { csz::ranking ranking(context); }).status() == CSZ_ERR_NO_MEMORY);
        refuse = false;
        EXPECT(live == 2); // the context, and the plan that both names shared
    }
    EXPECT(live == 0);
}

static void test_estimate()
{
    csz::workload workload("model=llama-3-70b tokens=1T global_batch=512");
    csz::cluster cluster("accelerator=h100-sxm-80gb accelerators=64");
    csz::plan plan("tp=8 pp=4 zero=optimizer");
    csz::estimate estimate;
    double low = 0, likely = 0, high = 0, sum = 0;
    std::size_t index = 0, seen = 0;

    estimate.reserve(4).compute(workload, cluster, plan);
    csz_estimate_get_range(estimate.raw(), CSZ_ESTIMATE_RUN_TIME, &low, &likely, &high);
    csz::range time = estimate.range(CSZ_ESTIMATE_RUN_TIME);
    EXPECT(time.low == low && time.likely == likely && time.high == high && low < high);
    EXPECT(estimate.get<double>(CSZ_ESTIMATE_RUN_TIME) == likely);
    EXPECT(estimate.get<csz_fit>(CSZ_ESTIMATE_MEMORY_FIT) == CSZ_FIT_YES);
    EXPECT(estimate.get_many({CSZ_ESTIMATE_RUN_TIME, CSZ_ESTIMATE_MEMORY_USABLE})[0] == likely);
    for (const csz::stage &stage : estimate.stages()) {
        EXPECT(stage.index() == index++);
        sum += stage[CSZ_ESTIMATE_STAGE_LAYERS];
    }
    EXPECT(index == 4 && sum == 80);
    for (const csz::note &note : estimate.notes()) {
        EXPECT(note.code == csz_estimate_note_at(estimate.raw(), seen++) && note.text()[0] != '?');
    }
    EXPECT(seen > 0 && csz_estimate_note_at(estimate.raw(), seen) == CSZ_NOTE_NONE);
    EXPECT(!estimate.kernels().empty());
    EXPECT(estimate.to_json().find("\"facts\"") != std::string::npos);

    plan.set("tp=7");
    csz::error conflict = thrown([&] { estimate.compute(workload, cluster, plan); });
    EXPECT(conflict.status() == CSZ_ERR_CONFLICT && estimate.reason() != CSZ_REASON_NONE);
    EXPECT(estimate.stages().empty() && estimate.notes().empty());
    estimate.compute(workload);
    EXPECT(estimate.get<std::int64_t>(CSZ_ESTIMATE_PARAMETERS_TOTAL) == INT64_C(70553706496));
}

static void test_ranking()
{
    csz::workload workload("model=llama-3-8b tokens=1T");
    csz::cluster cluster("accelerator=h100-sxm-80gb accelerators=64");
    csz::goal goal("rows=5");
    csz::ranking ranking;
    double before = 0, plans = 0;
    int calls = 0;

    for (const csz::entry &entry : ranking.select(workload, cluster, goal)) {
        double seconds = entry.estimate.get<double>(CSZ_ESTIMATE_RUN_TIME);
        EXPECT(seconds >= before);
        before = seconds;
    }
    EXPECT(ranking.count() == 5 && ranking.entries().size() == 5 && before > 0);
    for (const csz::rejection &rejection : ranking.rejections()) {
        EXPECT(rejection.text()[0] != '\0');
        plans += rejection.plans;
    }
    EXPECT(plans > 0);
    EXPECT(thrown([&] { ranking[5]; }).status() == CSZ_ERR_RANGE);

    csz::plan kept(ranking[0].plan);
    std::string json = ranking[0].plan.to_json();
    ranking.set_progress([&](double) { return ++calls < 1; });
    EXPECT(thrown([&] { ranking.select(workload, cluster); }).status() == CSZ_ERR_CANCELLED);
    EXPECT(calls == 1 && ranking.begin() == ranking.end() && kept.to_json() == json);

    csz::ranking moved = std::move(ranking); // the progress function goes along
    moved.set_progress([](double) -> bool { throw std::out_of_range("mine"); });
    try {
        moved.size(workload, cluster, csz::goal("deadline=30d"));
        EXPECT(calls < 0); // not reached
    } catch (const std::out_of_range &mine) {
        EXPECT(std::strcmp(mine.what(), "mine") == 0);
    }
    moved.set_progress(nullptr);
    moved.size(workload, cluster, csz::goal("deadline=30d"));
    EXPECT(moved.get_f64(CSZ_RANKING_ACCELERATORS) > 0);
    EXPECT(!moved.advise(workload, cluster, kept).empty());
}

static void test_catalog_and_calibration()
{
    csz::catalog catalog;
    catalog.load("{\"accelerators\": [{\"id\": \"h100-sxm-80gb\", \"power\": \"650W\"}]}");
    std::size_t part = catalog.find(CSZ_KIND_ACCELERATOR, "H100_SXM_80GB");
    EXPECT(catalog.get_f64(part, CSZ_ACCELERATOR_POWER) == 650);
    EXPECT(catalog.id_at(CSZ_KIND_ACCELERATOR, part) == "h100-sxm-80gb");
    EXPECT(!catalog.source(CSZ_KIND_ACCELERATOR, part).empty());
    std::vector<std::size_t> offers =
        catalog.query(CSZ_KIND_OFFER, "accelerator=h100-sxm-80gb term=spot", CSZ_OFFER_PRICE);
    EXPECT(!offers.empty() && catalog.get_f64(offers.front(), CSZ_OFFER_PRICE) <=
                                  catalog.get_f64(offers.back(), CSZ_OFFER_PRICE));
    csz::error kind = thrown([&] { catalog.load("{\"accelerator\": []}"); });
    EXPECT(std::strlen(kind.what()) > 0);

    csz::cluster cluster;
    cluster.set("accelerator=h100-sxm-80gb accelerators=64", catalog);
    EXPECT(cluster.get<double>(CSZ_CLUSTER_POWER) == 650);
    csz::workload workload("model=llama-3-70b global_batch=512");
    csz::plan plan("tp=8 pp=4 zero=optimizer stack=megatron");
    csz::estimate estimate(workload, cluster, plan, CSZ_DEPTH_STEP);
    double step = estimate.get<double>(CSZ_ESTIMATE_STEP_TIME);
    csz::calibration calibration;
    calibration.add_run(workload, plan, 0, step * 1.1);
    cluster.calibrate(calibration);
    EXPECT(cluster.get<double>(CSZ_CLUSTER_COMPUTE_MULTIPLIER) < 1);
    EXPECT(calibration.count(CSZ_CALIBRATION_RUN_MEASURED) == 1);
    EXPECT(calibration.get_at(CSZ_CALIBRATION_RUN_MEASURED, 0) == step * 1.1);
}

static void test_projection_and_launches()
{
    csz::workload workload("model=llama-3-8b tokens=100B global_batch=512");
    csz::cluster cluster("accelerator=h100-sxm-80gb accelerators=64");
    csz::plan plan("sharding=optimizer stack=megatron");
    csz::estimate estimate(workload, cluster, plan);
    csz::projection projection;
    EXPECT(projection.compute(workload, cluster, plan).get_f64(CSZ_PROJECTION_TIME) ==
           estimate.get<double>(CSZ_ESTIMATE_RUN_TIME));
    csz::range own = projection.range(CSZ_PROJECTION_OWN_COST);
    EXPECT(own.low < own.likely && own.likely < own.high);
    EXPECT(projection.count(CSZ_PROJECTION_RENTAL_COST) > 0 &&
           !projection.text_at(CSZ_PROJECTION_RENTAL_OFFER, 0).empty());
    EXPECT(thrown([&] { projection.get_f64(CSZ_PROJECTION_NETWORK_PORTS); }).status() ==
           CSZ_ERR_UNSET);
    csz::ranking counts;
    csz::goal goal("maximum_accelerators=64");
    csz::entries curve = counts.curve(workload, cluster, goal);
    EXPECT(projection.curve(counts, cluster, goal).count(CSZ_PROJECTION_POINT_COST) ==
           curve.size());
    EXPECT(projection.network(workload, cluster, plan).get_f64(CSZ_PROJECTION_NETWORK_PORTS) > 0);

    std::string file = csz::to_launch(plan, workload, cluster, CSZ_SOURCE_MEGATRON,
                                      CSZ_LAUNCH_PART_FILE, &estimate);
    csz::workload job("model=llama-3-8b");
    csz::plan back;
    csz::from_launch(back, job, cluster, CSZ_SOURCE_MEGATRON, file);
    EXPECT(csz::estimate(job, cluster, back, CSZ_DEPTH_STEP).get<double>(CSZ_ESTIMATE_STEP_TIME) ==
           estimate.get<double>(CSZ_ESTIMATE_STEP_TIME));
    EXPECT(csz::launch_notes(CSZ_SOURCE_MEGATRON, file + "\n--save x\n").find("save") !=
           std::string::npos);
    plan.set("pp=2");
    EXPECT(thrown([&] {
               csz::to_launch(plan, workload, cluster, CSZ_SOURCE_DEEPSPEED);
           }).status() == CSZ_ERR_CONFLICT);
    csz::plan sharded("sharding=parameters");
    EXPECT(estimate.largest(workload, cluster, sharded, CSZ_PLAN_MICRO_BATCH) >= 1);
}

static void test_names()
{
    std::size_t count = 0;
    for (csz_field field : csz::fields()) {
        EXPECT(csz_field_name(field) != nullptr);
        ++count;
    }
    EXPECT(count == csz_field_count() && count > 100);
    EXPECT(csz::field("tp") == CSZ_PLAN_TENSOR_PARALLEL && csz::field("tq") == CSZ_FIELD_NONE);
    EXPECT(csz::parse(CSZ_UNIT_SECOND, "14d") == 14 * 86400.0);
    EXPECT(csz::format(CSZ_UNIT_SECOND, 14 * 86400.0) == "14 d");
    EXPECT(csz::field_to_json(CSZ_PLAN_TENSOR_PARALLEL).find("\"tp\"") != std::string::npos);
    EXPECT(csz::version() == CSZ_VERSION_STRING);
    std::string answer = csz::answer("flops model=llama-3-70b");
    EXPECT(answer.front() == '{' && answer.back() == '}');
    EXPECT(csz::answer("what?").find("\"error\"") != std::string::npos);
}

int main()
{
    test_inputs();
    test_errors();
    test_ownership();
    test_estimate();
    test_ranking();
    test_catalog_and_calibration();
    test_projection_and_launches();
    test_names();
    std::printf("%s, %d failures\n", failures == 0 ? "good" : "bad", failures);
    return failures == 0 ? 0 : 1;
}
