#!/bin/sh
# hostile.sh PROGRAM ROWS: files that are no rows, rows with numbers that cannot be, and records that record
# nothing. The judge, of memory or of time, must not crash, and must tell what is wrong or skip the row with a reason.
name=$(basename "$1")
program=$(cd "$(dirname "$1")" && pwd)/$name
rows=$2
if [ ! -x "$program" ] || [ ! -r "$rows" ]; then
    echo "usage: $0 PROGRAM ROWS" >&2
    exit 2
fi
LC_ALL=C
export LC_ALL
# What a judge reads, in which column of its lines it tells that, and what it prints and records of it.
case $name in
judge-memory)
    measured=measured_peak_gib
    others='measured_kind=allocated'
    place=6
    keys='band_ratio_80 oom_called_fits runs_called_oom tight_share fit_brier'
    counted='headline.in_band headline.band_ratio'
    ;;
*)
    measured=step_time_s
    others='accelerator_id=h100-sxm-80gb'
    place=5
    keys='in_band_95'
    counted='headline.in_band_80 headline.in_band_95'
    ;;
esac
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

# check NAME COMMAND...: the command succeeds.
check() {
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        head -n 5 "$dir/err"
    fi
}

# judge STATUS WORDS...: exit status, and no sanitizer speaks; output in $dir/out and $dir/err.
judge() {
    want=$1
    shift
    "$program" "$@" >"$dir/out" 2>"$dir/err"
    check "exit status $want of: $*" test $? -eq "$want"
    check "sound: $*" sh -c "! grep -q 'runtime error\|Sanitizer' '$dir/err'"
}

# broken WHY: $dir/rows.csv is refused as a whole, and the message says why.
broken() {
    judge 1 --summary "$dir/rows.csv"
    check "refused: $1" grep -qF -e "$1" "$dir/err"
}

# skipped TEXT: the row of $dir/rows.csv is skipped, and the reason has the text.
skipped() {
    judge 0 "$dir/rows.csv"
    check "skipped: $1" grep -q "skipped: .*$1" "$dir/out"
}

long=$(head -c 100000 /dev/zero | tr '\0' x)

# ---- Files ----

judge 1 "$dir/none.csv"
judge 1 "$dir"
: >"$dir/rows.csv"
broken 'is empty'
printf '\357\273\277' >"$dir/rows.csv"
broken 'is empty'
printf 'id,model,gpus\n' >"$dir/rows.csv"
broken 'no row below its header'
printf 'id,model,gpus' >"$dir/rows.csv"
broken 'no row below its header'
printf 'id,"model,gpus\nx,y,1\n' >"$dir/rows.csv"
broken 'has a quote that does not end'
printf 'id,model,gpus\na,b,1\nx,"y,1\n' >"$dir/rows.csv"
broken 'row 2 has a quote that does not end'
printf 'id,model,gpus\nx,y\0z,1\n' >"$dir/rows.csv"
broken 'holds a 0 byte'
printf 'id,model,gpus\nx,y\n' >"$dir/rows.csv"
broken 'row 1 has not the cells of its header'
printf 'id,model,gpus\na,b,1\nx,y,1,2\n' >"$dir/rows.csv"
broken 'row 2 has not the cells of its header'
head -c 5000 /dev/zero | tr '\0' , >"$dir/rows.csv"
broken 'no row below its header'
printf 'a,b\nc,d' >"$dir/rows.csv"
skipped 'no model'
printf 'id,model,task\r\nx,llama-3-8b,\r\n\r\n' >"$dir/rows.csv"
skipped 'not stated'
printf 'id,model,task\n"%s",llama-3-8b,sft' "$long" >"$dir/rows.csv"
judge 0 "$dir/rows.csv"
printf 'id,source,framework,model,task,notes,tp\n%s,%s,%s,%s,%s,%s,1\n' \
    "$long" "$long" "$long" "$long" "$long" "$long" >"$dir/rows.csv"
skipped 'not in the catalog'
printf '%s\n%s\n' "$long" "$long" >"$dir/rows.csv"
skipped 'no model'

# ---- Numbers ----

# row NAME=VALUE...: one row of a run on 8 accelerators, with these columns changed or added.
row() {
    printf '%s\n' id=x source=a/b framework=torchtune model=llama-3-8b task=sft precision=bf16 gpus=8 tp=1 \
        micro_batch=1 grad_accum=1 seq_len=2048 "$others" "$measured=40" "$@" |
        awk -F= '
            !($1 in value) { names[++n] = $1 }
            { value[$1] = $2 }
            END {
                for (i = 1; i <= n; i++) printf "%s%s", names[i], i < n ? "," : "\n"
                for (i = 1; i <= n; i++) printf "%s%s", value[names[i]], i < n ? "," : "\n"
            }' >"$dir/rows.csv"
}

for value in 1e-3:0.001 4.0E1:40 +40:40 4e+1:40 .5:0.5 '40 (rounded):40'; do
    row "$measured=${value%:*}"
    judge 0 "$dir/rows.csv"
    check "$value" awk -v place="$place" -v want="${value#*:}" \
        'NR == 1 { exit !($1 == "x" && $place == want + 0) }' "$dir/out"
done
# The size of a micro-batch that only the global batch tells; one that it cannot be.
row gpus=1 global_batch=8 grad_accum=2 micro_batch=
judge 0 "$dir/rows.csv"
check 'a micro-batch of the global batch' sh -c "! grep -q 'skipped\|micro_batch=1' '$dir/out'"
row gpus=8 global_batch=4 grad_accum=2 micro_batch=
judge 0 "$dir/rows.csv"
check 'a global batch too small' grep -q 'partial.*micro_batch=1' "$dir/out"
row tp=4294967296 pp=4294967296
skipped 'tp=4294967296 '
row tp=65536 pp=65536 cp=65536 micro_batch=0.001 gpus=
skipped 'accelerators'
row tp=1024 pp=1024 dp=1024 gpus=
skipped 'accelerators'
for value in -1 -8 1e999 -1e999 99999999999999999999 9223372036854775807 1.5 inf -inf nan 1e-300 4294967296; do
    row gpus="$value"
    skipped "gpus=$value "
    row seq_len="$value"
    skipped "seq_len=$value "
done
row zero_stage=4
skipped 'zero_stage=4 '
row sharding_note='ZeRO-99'
skipped 'ZeRO stage 99'
row "$measured=-40"
skipped "$measured=-40 "

# ---- Every column, and several at once ----

# Rows from all over the file, with each of their cells replaced, then with some drawn at random; the generator is
# our own, so that every awk draws the same.
awk -v seed=1 '
    function split_row(line, cells,   n, cell, quoted, i, c) {
        n = 0; cell = ""; quoted = 0
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"") quoted = !quoted
            if (c == "," && !quoted) { cells[++n] = cell; cell = "" }
            else cell = cell c
        }
        cells[++n] = cell
        return n
    }
    function draw(most) {
        seed = (seed * 16807) % 2147483647
        return seed % most + 1
    }
    function print_row(   i) {
        for (i = 1; i <= columns; i++) printf "%s%s", now[i], i < columns ? "," : "\n"
    }
    function restore(   i) { for (i = 1; i <= columns; i++) now[i] = base[i] }
    BEGIN {
        values = split("|0|1|2|3|7|64|65535|65536|1048576|1073741824|4294967296|9007199254740992|" \
                       "9223372036854775807|99999999999999999999|-1|-9223372036854775808|0.001|0.5|1.5|1e-3|1e-300|" \
                       "1e15|1e300|1e999|nan|inf|-inf|text|%s%n|8k|ZeRO-9|zero 99999999999999999999|none (1 GPU)", value, "|")
    }
    NR == 1 { columns = split_row($0, base); print; next }
    NR % 310 == 2 && !/post-optimizer/ {
        split_row($0, base)
        for (k = 1; k <= columns; k++)
            for (v = 1; v <= values; v++) { restore(); now[k] = value[v]; print_row() }
        for (p = 0; p < 500; p++) {
            restore()
            for (m = draw(4) + 1; m > 0; m--) now[draw(columns)] = value[draw(values)]
            print_row()
        }
    }' "$rows" >"$dir/rows.csv"
judge 0 "$dir/rows.csv"
made=$(($(wc -l <"$dir/rows.csv") - 1))
# A line for each row, and the summary behind an empty line.
sed '/^$/,$d' "$dir/out" >"$dir/lines"
told=$(wc -l <"$dir/lines")
check "$made rows, $told lines" test "$made" -eq "$told" -a "$made" -gt 5000
check 'no figure that is none' sh -c "! sed 's/ \[filled.*//; /skipped: \|refused: /d; s/^[^ ]* //' '$dir/lines' | grep -qi 'nan\|inf'"
echo "$made rows made: $(grep -c skipped: "$dir/out") skipped, $(grep -c refused: "$dir/out") refused"

# ---- Summaries and records ----

row "$measured="
cp "$dir/rows.csv" "$dir/silent.csv"
for file in "$dir/silent.csv" "$rows"; do
    judge 0 --json "$file"
    for key in rows judged median_abs_log p90_abs_log bias in_band_80 $keys by by_class; do
        check "$key of $file" grep -q "^{.*\"$key\":" "$dir/out"
    done
    check "no figure that is none: $file" sh -c "! grep -q ':-*nan\|:-*inf' '$dir/out'"
done
judge 0 --json "$dir/silent.csv"
check 'no headline, no median' grep -q '^{[^{]*"median_abs_log":null[^{]*"p90_abs_log":null,"bias":null' "$dir/out"

# unheld: the record $dir/bad does not hold.
unheld() {
    judge 1 --summary --check "$dir/bad" "$rows"
}

judge 0 --summary --record "$dir/record" "$rows"
judge 0 --summary --check "$dir/record" "$rows"
: >"$dir/bad"
unheld
check 'nothing recorded' grep -q 'headline.median is recorded 0 times' "$dir/err"
for line in 'headline.median' 'headline.median much' 'headline.median nan' 'headline.median 1 2' 'headline.medium 1' \
    'headline.median 9' ''; do
    { cat "$dir/record"; echo "$line"; } >"$dir/bad"
    unheld
done
for figure in headline.rows judged rows $counted; do
    for by in -1 1; do
        awk -v figure="$figure" -v by="$by" '$1 == figure { $2 += by } { print }' "$dir/record" >"$dir/bad"
        unheld
        check "$figure by $by" grep -q "$name: $figure is .*record again" "$dir/err"
    done
done
sed 's/^headline.p90 .*/headline.p90 0.0001/' "$dir/record" >"$dir/bad"
unheld
sed 's/^headline.p90 .*/headline.p90 9/' "$dir/record" >"$dir/bad"
judge 0 --summary --check "$dir/bad" "$rows"

echo "$passed passed, $failed failed"
test "$failed" -eq 0
