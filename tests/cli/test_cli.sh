#!/bin/sh
# test_cli.sh PROGRAM: exit statuses, screens, JSON, files and messages of the program clustersize.
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
man_page=${2:-$(dirname "$0")/../../examples/clustersize/clustersize.1}
if [ ! -x "$program" ]; then
    echo "usage: $0 PROGRAM [MAN PAGE]" >&2
    exit 2
fi
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

ok() {
    passed=$((passed + 1))
}

bad() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# check NAME COMMAND...: the command succeeds.
check() {
    name=$1
    shift
    if "$@" >/dev/null 2>&1; then ok; else bad "$name"; fi
}

# run STATUS WORDS...: exit status; output in $dir/out and $dir/err.
run() {
    want=$1
    shift
    "$program" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ $got -eq "$want" ]; then ok; else bad "exit status $got, not $want: $*"; fi
}

# On one screen, and plain text; fit, with its table of the memory, on a longer one.
screen() {
    most=24
    [ "$1" = fit ] && most=40
    lines=$(wc -l <"$dir/out")
    widest=$(awk 'length > n { n = length } END { print n + 0 }' "$dir/out")
    if [ "$lines" -le $most ] && [ "$lines" -gt 5 ]; then ok; else bad "$lines lines: $*"; fi
    if [ "$widest" -le 80 ]; then ok; else bad "$widest columns: $*"; fi
    check "plain ASCII: $*" sh -c "! LC_ALL=C grep -q '[^ -~]' '$dir/out'"
    check "silent on stderr: $*" test ! -s "$dir/err"
}

# says TEXT...: the output has each text.
# Where a line breaks moves with the figures in it: a text may go on over a line.
says() {
    tr -s '\n ' '  ' <"$dir/out" | tr -s ' ' >"$dir/one_line"
    for text in "$@"; do
        if grep -qF -e "$text" "$dir/out" "$dir/one_line"; then ok; else bad "output lacks '$text'"; fi
    done
}

# json STATUS WORDS...: valid JSON with --json.
json() {
    run "$@" --json
    check "JSON: $*" python3 -m json.tool "$dir/out"
}

# error TEXT WORDS...: exit status 2, and a message that has the text, in JSON too.
error() {
    text=$1
    shift
    run 2 "$@"
    if grep -qF -e "$text" "$dir/err"; then ok; else bad "message lacks '$text': $*: $(cat "$dir/err")"; fi
    run 2 "$@" --json
    check "JSON error: $*" python3 -c "import json; assert json.load(open('$dir/out'))['error']['message']"
}

h100="--accelerator h100-sxm-80gb"
llama="--model llama-3-70b $h100"
deepseek="--model deepseek-v3 $h100"

# ---- Screens ----
run 0 size $llama --tokens 1T --deadline 14d
screen size llama-3-70b
says accelerators nodes '$' "Binds: the deadline of 14 d" "Plan " "Batch " "Memory " "GiB usable" "Step " "tokens/s" \
    "MFU" "6ND " "Counts " "Near " "Assumed " "--sequence-length"
run 0 size $deepseek --tokens 1T --deadline 60d
screen size deepseek-v3
says "expert traffic" "ep "
run 0 fit $llama --accelerators 64 --tp 8 --pp 4 --sharding optimizer --tokens 1T
screen fit llama-3-70b
says "Fits" "chance" "weights" "master" "activations" "####" "allocated" "reserved" "driver" "peak " "of 4, which needs most" \
    "usable: fits" "Host "
check "one line a part" sh -c "[ \$(grep -c '^        [a-z]* .*[|>]\$' '$dir/out') -ge 6 ]"
check "no part of 0.0 GiB" sh -c "! grep -q '^        [a-z]*  *0.0 ' '$dir/out'"
check "no stages unasked" sh -c "! grep -q '^Stages' '$dir/out'"
run 0 fit $llama --accelerators 64 --tp 8 --pp 4 --sharding optimizer --stages
says "Stages, GiB each" "layers" "driver" "peak"
check "each stage" sh -c "grep -q '^    4 ' '$dir/out'"
check "stages in 80 columns" awk 'length > 80 { exit 1 }' "$dir/out"
run 1 fit $llama --accelerators 64 --tp 8 --pp 2
screen fit llama-3-70b that does not
says "Does not fit" "Fits by" "saves " " GiB, step " "chance "
check "three ways" sh -c "[ \$(grep -c ' saves .* chance ' '$dir/out') -eq 3 ]"
run 1 fit $llama --accelerators 64 --tp 8 --pp 2 -v
check "more ways with -v" sh -c "[ \$(grep -c ' saves .* chance ' '$dir/out') -gt 3 ]"
says "optimizer adam_8bit saves" "128 accelerators with tp 16 saves" "Stages, GiB each"
run 1 fit --model llama-3.1-405b $h100 --accelerators 8
screen fit where only other plans do
says "accelerators with tp 8, pp "
run 1 fit --model llama-3-8b $h100 --accelerators 8 --tp 2 --sharding optimizer --offload-optimizer 1 --host-memory 50GiB
screen fit on nodes with too little memory
says "The memory of the nodes is too small" "Host " "of 50.0 usable: does not fit" "Fits by"
json 1 fit --model llama-3-8b $h100 --accelerators 8 --tp 2 --sharding optimizer --offload-optimizer 1 --host-memory 50GiB
run 1 plan --model llama-3-8b $h100 --accelerators 8 --offload-optimizer 1 --host-memory 50GiB
says "no plan on 8 accelerators" "the memory of the nodes is too small"
error host_memory fit --model llama-3-8b $h100 --accelerators 8 --tp 2 --sharding optimizer --offload-optimizer 1
run 1 fit --model llama-3-8b --accelerators 8 --memory 80GiB
says "Fits by" "saves"
check "no time without rates" sh -c "! grep -q ', step ' '$dir/out'"
run 1 fit $deepseek --accelerators 64 --pp 2 --ep 8
screen fit deepseek-v3
run 0 plan $llama --accelerators 512 --tokens 1T
screen plan llama-3-70b
says "Tried " "Rejected"
run 0 plan $deepseek --accelerators 2048 --tokens 1T
screen plan deepseek-v3
run 0 flops --model llama-3-70b --tokens 1T
screen flops llama-3-70b
says 70,553,706,496 "PaLM" "torchtitan" "6ND"
run 0 flops --model deepseek-v3
screen flops deepseek-v3
says 671,026,419,200 37,552,297,472
run 0 size $llama --tokens 1T --deadline 14d -v
says "Stages" "Notes" "does not fit"
run 0 fit $llama --tp 8 --pp 4 --dp 2 --sharding optimizer
says "64 accelerators"

# ---- Explanation ----
run 0 plan $llama --accelerators 512 --explain
says "Band " "measured configuration" "of hopper under megatron" "wider for stack not named" "micro-batches x" \
    "the critical one" "Stages, ms of one micro-batch" "Roofline" "FLOP/B" "product" "attention" "pointwise" "logits" "compute" \
    "HFU" "Narayanan" "Runs " "envelope of the plausible stacks" "the stack was not named"
check "explained in 80 columns" awk 'length > 80 { exit 1 }' "$dir/out"
check "no unmeasured words" sh -c "! grep -q 'no measured run' '$dir/out'"
run 0 fit $llama --tp 8 --pp 8 --dp 2 --sharding optimizer --stack megatron --last-stage-layers 17 --explain
says "of stage 8, the critical one" "8*" "2-7" "Runs "
check "a named stack is not assumed" sh -c "! grep -q 'not named' '$dir/out'"
run 0 fit $llama --tp 8 --pp 8 --dp 2 --sharding optimizer
screen fit llama-3-70b with its band
says "Band "
check "no explanation unasked" sh -c "! grep -q 'Roofline' '$dir/out'"
run 0 fit --model llama-3-8b --accelerator gaudi3-128gb --tp 4 --family unheard-of
says "Band " "no measured run of unheard-of under"
run 0 fit --model llama-3-8b --accelerators 8 --memory 80GiB --tp 2 --sharding optimizer --explain
says "No step time to explain"
run 0 fit $llama --tp 8 --pp 8 --dp 2 --sharding optimizer --explain --json
check "explained in JSON" python3 -c "
import json
e = json.load(open('$dir/out'))
for stage in e['stages']:
    parts = sum(v for k, v in stage.items() if k.startswith('time_'))
    assert abs(parts - stage['time']) < 1e-9 * stage['time']
assert e['stages'][e['step']['critical_stage']]['time'] == max(s['time'] for s in e['stages'])
assert {k['kind'] for k in e['kernels']} == {'product', 'attention', 'pointwise', 'logits'}
assert e['evidence']['configurations'] > 0 and e['evidence']['band'] == 'envelope'"

# ---- No answer ----
run 1 size $llama --tokens 1T --deadline 1h
screen size without an answer
says "no count" "fastest"
run 1 size $llama --tokens 1T --budget '$5'
says "no count" "the budget" "cheapest"
run 1 plan $llama --accelerators 8
says "no plan on 8 accelerators"

# ---- JSON ----
json 0 size $llama --tokens 1T --deadline 14d
json 1 size $llama --tokens 1T --deadline 1h
json 0 plan $llama --accelerators 512
json 1 plan $llama --accelerators 8
json 0 fit $llama --accelerators 64 --tp 8 --pp 4 --sharding optimizer
json 1 fit $llama --accelerators 64 --tp 8
json 0 flops --model llama-3-70b
says '"total":70553706496' '"active":70553706496'
json 0 flops --model deepseek-v3
says '"total":671026419200'
for kind in models accelerators nodes fabrics offers curves operations reliability stacks fields; do
    run 0 list $kind
    check "list $kind" test -s "$dir/out"
    json 0 list $kind
done
json 0 list models no-such-model
run 0 list models llama-3-70b
says 70.55B
run 0 list offers h100-sxm-80gb accelerator=h100-sxm-80gb term=on-demand --by price --json
check "cheapest first" python3 -c "
import json
prices = [e['price'] for e in json.load(open('$dir/out'))]
assert len(prices) > 5 and prices == sorted(prices)"
run 0 list offers accelerator=H100_SXM_80GB provider='Market Median' term=purchase
says h100-sxm-80gb-purchase '$33' purchase
check "one line" sh -c "[ \$(wc -l <'$dir/out') -eq 1 ]"
run 0 list curves accelerator=h100-sxm-80gb operation=all-reduce ranks=8 bytes=512MiB --by bus-bandwidth
says h100-sxm-all-reduce-8-512mib GB/s
run 0 list operations topic=pue --by value
says pue-meta 1.08 ratio
run 0 list reliability metric=failures-per-node-day -v
says llama3-405b-failures-per-node-day 0.00379 1/node-day medium
run 0 list offers term=never
json 0 list offers term=never
run 0 list fields tensor_parallel
says tensor_parallel tp count

# ---- Flags ----
run 0 fit $llama --tensor-parallel 8 --pipeline_parallel=4 --dp 2 --zero optimizer --json
cp "$dir/out" "$dir/first"
run 0 fit $llama --tp=8 --pp 4 --data-parallel 2 --sharding=optimizer --json
check "names, aliases, dashes" cmp -s "$dir/first" "$dir/out"
run 0 flops --model llama-3-70b --runs[0].layers 40 --json
says '"total":36327530496'
run 0 flops --layers 40 --model llama-3-70b --json
says '"total":36327530496'
run 0 fit $llama --tp 8 --pp 4 --zero optimizer --dp 2 --memory "80 GiB" --json
says '"usable":85899345920'
run 0 fit --memory 80GiB $llama --tp 8 --pp 4 --zero optimizer --dp 2 --json
says '"usable":85899345920'
run 0 size $llama --tokens 1T --deadline 14d --tp 8 --json
check "limits of the search" sh -c "! grep -q '\"tensor_parallel\":4' '$dir/out'"
run 0 flops --model llama-3-70b --job lora --json
run 0 --version
says clustersize
run 0 --help
says size fit plan flops cost curve network calibrate list --stages --nccl --cluster --power-limit --offload-optimizer --sequence-length --tp --deadline --catalog --job "Exit status"
check "help in 80 columns" awk 'length > 80 { exit 1 }' "$dir/out"

# ---- Bad input ----
error tokens size $llama --tokens 0
error tokens size $llama --tokens -5
error tokens size $llama --tokens nan
error tokens size $llama --tokens 12parsecs
error tokens size $llama --tokens ''
error tokens size $llama --tokens
error tokens size $llama --deadline 14d
error tokens size $llama --tokens 1T --tokens 2T
error deadline size $llama --tokens 1T --deadline -1d
error deadline size $llama --tokens 1T --deadline 14parsecs
error accelerators size $llama --tokens 1T --deadline 14d --accelerators 64
error accelerators fit $llama --accelerators 1.5
error accelerators fit $llama --accelerators 64 --tp 3
error accelerators plan $llama
error data_parallel fit $llama --accelerators 64 --tp 8 --dp 4
error global_batch_tokens size $llama --tokens 1T --global-batch 8 --global-batch-tokens 65536
error stack fit $llama --stack no-such-stack
error recompute fit $llama --recompute some
error sharding fit $llama --sharding 'para meters'
error "offload_activations: yes is not available on stack legacy; stacks that have it: megatron" \
    fit $llama --stack legacy --offload-activations
error "sharding: gradients is not available on stack ddp; choose none" fit $llama --stack ddp --sharding gradients
error "gradient_release: yes, but 8 data-parallel" fit $llama --accelerators 8 --stack ddp --gradient-release
error "state_format: fp32, but optimizer=adam_8bit" fit $llama --optimizer adam_8bit --state-format fp32
error "method: grpo generates text" fit --model bert-large $h100 --method grpo
error "recompute_experts: yes, but the model has no experts" fit $llama --recompute-experts
error model size --model no-such-model $h100 --tokens 1T
error accelerator size --model llama-3-70b --accelerator no-such-part --tokens 1T
error "h100-sxm-80gb, h100-sxm-96gb" size --model llama-3-70b --accelerator "H100 SXM" --tokens 1T
run 0 flops --model "Llama 3 70B" --json
error offer size $llama --tokens 1T --offer no-such-offer
error --no-such-flag size $llama --no-such-flag 3
error --tokens size $llama --token 3
error -xyz size $llama -xyz
error no-such-command no-such-command
error size
error models list
error no-such-kind list no-such-kind
error "no such field" list offers no-such-field=1
error "no such field" list offers --by no-such-field
error "not a figure" list offers --by provider
error "no such field" list offers --by tensor_parallel
error "each name once" list offers term=spot term=spot
error "each name once" list offers term=
error "each name once" list curves ranks=many
error "no conditions" list fields term=spot
error "no conditions" list stacks --by price
error "is given twice" list offers --by price --by price
error tokens=1T size $llama tokens=1T
error hidden fit $h100 --accelerators 8
error model flops --model "$dir/absent.json"
error "No such file" flops --model ./absent/config
error "directory" flops --model ./
error nearest flops --model no-owner/no-such-model
run 0 flops --model meta-llama/Meta-Llama-3-70B --json
says '"total":70553706496'

# ---- Files ----
cat >"$dir/config.json" <<'CONFIG'
{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
 "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8, "vocab_size": 128256,
 "hidden_act": "silu", "rms_norm_eps": 1e-05, "max_position_embeddings": 8192, "tie_word_embeddings": false}
CONFIG
run 0 flops --model "$dir/config.json" --json
says '"total":70553706496'
run 0 flops --model "$dir/config.json"
says config.json
(cd "$dir" && cp config.json plain-name && "$program" flops --model plain-name --json >out 2>err)
says '"total":70553706496'
(cd "$dir" && mkdir models && cp config.json models/mine && "$program" flops --model models/mine --json >out 2>err)
says '"total":70553706496'
echo '{"model_type": "llama", "hidden_size": "wide"}' >"$dir/broken.json"
error hidden_size flops --model "$dir/broken.json"
echo '{"accelerators": [{"id": "my-part", "memory": "64GiB", "memory_bandwidth": "4TB/s", "peak_bf16": "500TFLOP/s",
  "link_bandwidth": "400GB/s", "scale_up_domain": 8, "family": "hopper"}]}' >"$dir/overlay.json"
run 0 fit --catalog "$dir/overlay.json" --model llama-3-8b --accelerator my-part --tp 8 --json
says '"usable":68719476736'
run 0 list accelerators my-part --catalog "$dir/overlay.json"
says my-part
echo '{"accelerators": [{"id": "my-part", "memory": -1}]}' >"$dir/broken.json"
error memory fit --catalog "$dir/broken.json" --model llama-3-8b --accelerator my-part
cat >"$dir/job.json" <<'JOB'
{"workload": {"model": "llama-3-70b", "tokens": "1T"}, "cluster": {"accelerator": "h100-sxm-80gb", "accelerators": 64},
 "plan": {"tensor_parallel": 8, "pipeline_parallel": 4, "sharding": "optimizer"}, "goal": {"deadline": "300d"}}
JOB
run 0 fit --job "$dir/job.json"
says "64 accelerators" "tp 8, pp 4"
run 0 fit --job "$dir/job.json" --accelerators 128
says "128 accelerators"
run 0 size --job "$dir/job.json"
says "deadline of 300 d"
echo '{"workload": {"model": "llama-3-70b", "tokenz": 1}}' >"$dir/broken.json"
error tokenz fit --job "$dir/broken.json"
dd if=/dev/zero of="$dir/large.json" bs=1048576 count=17 2>/dev/null
error "16 MiB" flops --model "$dir/large.json"

# ---- What launches are written in ----
echo '{"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
  "norm_eps": 1e-05, "sliding_window": 4096, "vocab_size": 32000}' >"$dir/params.json"
run 0 flops --model "$dir/params.json" --json
says '"total":7241732096'
cat >"$dir/llama.txt" <<'ARGUMENTS'
torchrun --nproc_per_node 8 pretrain_gpt.py \
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 # grouped
  --group-query-attention --num-query-groups 8 --seq-length 8192 --max-position-embeddings 8192
  --position-embedding-type rope --swiglu --normalization RMSNorm --disable-bias-linear --hidden-dropout 0
  --untie-embeddings-and-output-weights --vocab-size 128256 --micro-batch-size 1 --global-batch-size 128
  --train-samples 1953125 --bf16 --tensor-model-parallel-size 2 --sequence-parallel --use-distributed-optimizer
ARGUMENTS
run 0 flops --megatron "$dir/llama.txt" --json
says '"total":8030261248'
run 0 fit --megatron "$dir/llama.txt" $h100 --accelerators 8
screen fit of Megatron-LM arguments
says "llama.txt" "tp 2, dp 4" "sharding optimizer" "128 sequences"
run 1 fit --megatron="$dir/llama.txt" $h100 --accelerators 8 --tp 1
says "tp 1, dp 8"
run 1 fit --megatron "$dir/llama.txt" $h100
says "2 accelerators"
run 0 flops --megatron "$dir/llama.txt" --model "$dir/params.json" --json
says '"total":7241732096'
echo '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}, "train_batch_size": 64,
  "train_micro_batch_size_per_gpu": 1}' >"$dir/ds.json"
run 0 fit --deepspeed "$dir/ds.json" --model llama-3-8b $h100 --accelerators 64
says "sharding parameters" "stack deepspeed" "64 sequences"
json 0 fit --deepspeed "$dir/ds.json" --model llama-3-8b $h100 --accelerators 64
printf -- '--bf16\n--num-layers $LAYERS' >"$dir/broken.txt"
error "line 2, column 14" fit --megatron "$dir/broken.txt" $h100
echo '{"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}}' >"$dir/ds.json"
run 0 fit --deepspeed "$dir/ds.json" --model llama-3-8b $h100 --accelerators 64 --host-memory 2TB
says "sharding parameters" "offload_parameters yes"
echo '{"zero_optimization": {"stage": 3, "offload_param": {"device": "tape"}}}' >"$dir/broken.json"
error offload_param fit --deepspeed "$dir/broken.json" --model llama-3-8b $h100
error megatron fit --megatron "$dir/absent.txt" $h100
error "given twice" fit --megatron a --megatron b
error --megatron fit --megatrom a

# ---- Calibration ----
# nccl_output TEST NODES FACTOR LATENCY SLOPE: what nccl-tests prints on nodes of 8, times in us and us a MB.
nccl_output() {
    awk -v test="$1" -v nodes="$2" -v factor="$3" -v latency="$4" -v slope="$5" 'BEGIN {
        print "# nccl-tests version 2.17.0 nccl-headers=22703 nccl-library=22703"
        if (test != "") print "# Collective test starting: " test
        print "# nThread 1 nGpus 1 minBytes 1024 maxBytes 17179869184 step: 4(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0"
        print "#"
        print "# Using devices"
        for (r = 0; r < 8 * nodes; r++)
            printf "#  Rank %2d Group  0 Pid %6d on    node-%d device %2d [0x%02x] NVIDIA H100 80GB HBM3\n", r, 41000 + r, int(r / 8), r % 8, 16 * (r % 8)
        print "#"
        print "#                                                              out-of-place                       in-place          "
        print "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong"
        print "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       "
        for (size = 1024; size <= 17179869184; size *= 4) {
            time = latency + slope * size / 1e6
            printf "%12.0f %13.0f     float     sum      -1 %8.6g %7.2f %7.2f      0 %8.6g %7.2f %7.2f    N/A\n", size, size / 4, time,
                size / time / 1e3, factor * size / time / 1e3, time, size / time / 1e3, factor * size / time / 1e3
        }
        print "# Out of bounds values : 0 OK"
        print "# Avg bus bandwidth    : 171.935"
        print "#"
    }'
}
nccl_output "" 1 1.75 24 5.833333 >"$dir/one_node.txt"
nccl_output reduce_scatter_perf 4 0.96875 40 3.027344 >"$dir/four_nodes.txt"
nccl_output "" 2 0.9375 60 20 >"$dir/alltoall-2-nodes.txt"
small="--model llama-3-8b --accelerators 8 --global-batch 64 --sequence-length 8192 --sharding optimizer --stack megatron --tp 2"
run 0 calibrate $h100 $small --step-time 10s --gemm-rate 700TFLOP/s --copy-bandwidth 2.8TB/s --power-limit 650W \
    --nccl "$dir/one_node.txt" --nccl "$dir/four_nodes.txt" --nccl="$dir/alltoall-2-nodes.txt" --output "$dir/cluster.json"
screen calibrate
says "multiplier" "compute " "scale_out" "known to" "accelerators" "root mean square" "GEMM rate" "all_reduce: 8 ranks" \
    "reduce_scatter: 32 ranks" "alltoall: 16 ranks" "link_measured_bandwidth      300 GB/s" "link_latency                 12 us" \
    "scale_out_measured_bandwidth 40 GB/s" "scale_out_latency            7 us" "scale_out_expert_bandwidth   25 GB/s" \
    "power_limit                  650 W"
check "the cluster is kept as JSON" python3 -m json.tool "$dir/cluster.json"
json 0 fit $h100 $small
cp "$dir/out" "$dir/first"
json 0 fit --cluster "$dir/cluster.json" $small
check "the calibrated step is slower, and near what was measured" python3 -c "
import json
before, after = [json.load(open('$dir/' + f))['step']['time'] for f in ('first', 'out')]
assert before < after < 10.5 and abs(after - 10) < abs(before - 10) / 2, (before, after)"
json 0 fit --job "$dir/cluster.json" $small
json 0 calibrate $h100 $small --step-time 10s
says '"cluster":{"accelerator":"h100-sxm-80gb"' '"compute_multiplier":' '"multipliers":[{"multiplier":"compute"' '"run_floor":'
printf '# measured in May\ntensor-parallel, accelerators ,step_time,uncertainty\n1,8,10s,\n"2",8,10.4 s,3%%\n\n' >"$dir/runs.csv"
run 0 calibrate $h100 $small --runs "$dir/runs.csv"
says "Not kept" "10.4 s" "root mean square"
error "floor" calibrate $h100 $small --step-time 1s
error "step_time" calibrate $h100 $small --step-time soon
error "step_seconds: 0 is not positive" calibrate $h100 $small --step-time 0
error "gemm_rate" calibrate $h100 --gemm-rate 1000TFLOP/s
error "begins with no number format" calibrate $h100 --gemm-rate int9:1000TFLOP/s
error "copy_bandwidth" calibrate $h100 --copy-bandwidth 3.4TB/s
error "nothing was measured" calibrate $h100
error "is not set" calibrate --step-time 1s $small
sed 's/^ .*//' "$dir/one_node.txt" >"$dir/broken.txt"
error "no line of figures" calibrate $h100 --nccl "$dir/broken.txt"
nccl_output all_gather_perf 1 0.875 20 1.4 >"$dir/broken.txt"
error "link_bandwidth" calibrate $h100 --nccl "$dir/broken.txt"
nccl_output "" 2 0.9375 60 20 >"$dir/broken.txt"
error "which test" calibrate $h100 --nccl "$dir/broken.txt"
error "No such file" calibrate $h100 --nccl "$dir/absent.txt"
error "No such file" calibrate $h100 $small --step-time 10s --output "$dir/absent/cluster.json"
printf 'tp,price,step_time\n1,2,3\n' >"$dir/broken.csv"
error "'price' is no field" calibrate $h100 $small --runs "$dir/broken.csv"
printf 'tp,accelerators\n1,8\n' >"$dir/broken.csv"
error "step_time" calibrate $h100 $small --runs "$dir/broken.csv"
printf 'tp,accelerators,step_time\n1,8,10s\n3.5,8,10s\n' >"$dir/broken.csv"
error "line 3: tensor_parallel" calibrate $h100 $small --runs "$dir/broken.csv"
printf 'tp,accelerators,step_time\n1,8,10s,9\n' >"$dir/broken.csv"
error "line 2: more cells" calibrate $h100 $small --runs "$dir/broken.csv"
printf 'tp,accelerators,step_time\n' >"$dir/broken.csv"
error "no run" calibrate $h100 $small --runs "$dir/broken.csv"
echo '{"cluster": {"acelerator": "h100-sxm-80gb"}}' >"$dir/broken.json"
error "acelerator" fit --cluster "$dir/broken.json" $small
error --nccl calibrate $h100 --ncl "$dir/one_node.txt"

# ---- Cost, curve, network, profile ----
run_of="--model llama-3-8b --tokens 100B --accelerator h100-sxm-80gb"
run 0 cost $run_of --accelerators 64 --grid-carbon 0.4
says "Time" "effective training time" "failures over 8 units of 8" "Rent" "reserved-3y" "rest of" "Own" "depreciation" \
    "Cheaper than rent from" "kg of CO2" "Moves" "rent, price"
json 0 cost $run_of --accelerators 64 --price 2 --utilization 50%
says '"own":{"cost":' '"break_even_utilization":' '"swing_of":"own"'
run 1 curve $run_of --maximum-accelerators 64 --budget 100
says "Too dear" "least cost is $" "scaling" "Cheapest 8."
run 1 curve $run_of --maximum-accelerators 64 --deadline 1h
says "Too late" "Its step loses most"
run 0 curve $run_of --maximum-accelerators 64 --deadline 10d
says "Cheapest in time 16." "Assumed a global batch of 512 sequences" "with 256:" "with 1,024:"
run 0 network $run_of --accelerators 64
says "the bottleneck below" "roce-100" "1 leaf and 0 upper switches in 1 levels" "cooled by air"
printf 'tp,zero,stack,accelerators,step_time,global_batch,sequence_length\n1,1,megatron,16,9.5,128,8192\n' >"$dir/runs.csv"
run 0 size $run_of --deadline 10d --profile "$dir/runs.csv"
says "Profile 1 run" "a step), where the class of"
error "pue: 0.9 (90%) is outside 1 to 10" cost $run_of --accelerators 64 --pue 0.9
error "utilization: 1.5" cost $run_of --accelerators 64 --utilization 150%
error "commitment: 31557600 s is longer than" cost $run_of --accelerators 64 --commitment 1y
error "No such file" size $run_of --deadline 10d --profile "$dir/absent.csv"

# ---- Launches ----
launch="--model llama-3-8b $h100"
for software in megatron deepspeed torchtitan accelerate nanotron nemo; do
    run 0 plan $launch --accelerators 16 --tokens 10B --emit $software
    cp "$dir/out" "$dir/launch"
    check "$software: what stands beside the file" grep -q "Yours to add" "$dir/err"
    run 0 check --from $software "$dir/launch" $launch --accelerators 16
    says "Memory" "Step" "16 accelerators" "Assumed"
    json 0 check --from $software "$dir/launch" $launch --accelerators 16
    says '"software":' '"unused":[]' '"better":['
done
json 0 plan $launch --accelerators 16 --tokens 10B --emit torchtitan
says '"file":' '"notes":'
for software in megatron accelerate; do
    run 0 plan $launch --accelerators 16 --tokens 10B --emit $software --slurm
    says "#SBATCH --nodes=2" "#SBATCH --time=" "#SBATCH --requeue" "srun "
    check "$software: the batch script is one" sh -n "$dir/out"
done
run 0 plan --model llama-3-8b --accelerator tpu-v5p --accelerators 16 --tokens 10B --emit maxtext
says "ici_fsdp_parallelism" "per_device_batch_size"
run 1 fit $launch --accelerators 16 --pp 2 --emit deepspeed
check "what cannot be said" grep -q "pipeline_parallel: 2 has no option" "$dir/err"
run 1 fit $launch --accelerators 16 --pp 2 --emit deepspeed --json
says '"field":"pipeline_parallel"'
printf '[training]\nlocal_batch_size = 1\nseq_len = 8192\nmax_norm = 1.0\n[parallelism]\ntensor_parallel_degree = 4\n[activation_checkpoint]\nmode = "full"\n[compile]\nenable = true\n' >"$dir/train.toml"
run 0 check --from torchtitan "$dir/train.toml" $launch --accelerators 8
says "torchtitan v0.2.2" "Better" '- mode = "full"' '+ mode = "none"' "Unused" "line 4: training.max_norm"
run 1 check --from torchtitan "$dir/train.toml" --model llama-3-70b $h100 --accelerators 8 --mbs 16 --gbs 32
says "Does not fit"
error "train.toml" check --from torchtitan "$dir/absent/train.toml" $launch
error "none of megatron" check --from jax "$dir/train.toml" $launch
error "no file" check --from torchtitan $launch
error "--from names" check "$dir/train.toml" $launch
error "none of megatron" plan $launch --accelerators 8 --emit jax
error "the 6 accelerators are no multiple of" check --from torchtitan "$dir/train.toml" $launch --accelerators 6
printf 'model: &base\n  seq_length: 4096\n' >"$dir/broken.yaml"
error "anchors are not read at line 1, column 8" check --from nemo "$dir/broken.yaml" $launch --accelerators 8
printf '[training]\nseq_len = 1\nseq_len = 2\n' >"$dir/broken.toml"
error "is given twice" check --from torchtitan "$dir/broken.toml" $launch --accelerators 8

# ---- Manual ----
if command -v mandoc >/dev/null 2>&1; then
    mandoc -T utf8 "$man_page" 2>/dev/null | col -b >"$dir/out"
elif command -v man >/dev/null 2>&1; then
    MANWIDTH=80 man -l "$man_page" 2>/dev/null | col -b >"$dir/out"
else
    cp "$man_page" "$dir/out"
fi
check "the manual renders" test -s "$dir/out"
says size fit plan flops check cost curve network calibrate list emit slurm catalog job json nccl runs stages verbose megatron deepspeed "EXIT STATUS"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
