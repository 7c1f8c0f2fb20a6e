#!/bin/sh
# test_skypilot.sh SKYPILOT-PRICES CLUSTERSIZE: prices of SkyPilot's files become offers that the program takes.
prices=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
if [ ! -x "$prices" ] || [ ! -x "$program" ]; then
    echo "usage: $0 SKYPILOT-PRICES CLUSTERSIZE" >&2
    exit 2
fi
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

bad() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# says FILE TEXT...: the file has each text.
says() {
    file=$1
    shift
    for text in "$@"; do
        grep -qF -e "$text" "$file" || bad "$file lacks '$text': $(cat "$file")"
    done
}

# error TEXT ARGUMENTS... <FILE: exit status 2 and a message that has the text.
error() {
    text=$1
    shift
    "$prices" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] || bad "no exit status 2: $*"
    says "$dir/err" "$text"
}

# The columns in any order, quotes, a row of another kind, and what is no price.
{
    printf '\357\273\277InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\r\n'
    cat <<'CSV'
p5.48xlarge,H100,8.0,192,2048,"{'Gpus': [{'Name': 'H100', ""x"": 1}]}",98.32,23.6,us-east-1,use1-az1
p5.48xlarge,H100,8.0,192,2048,"two
lines",98.32,20.0,us-east-1,use1-az2
p5.4xlarge,H100,1.0,24,256,,12.8,,us-east-1,use1-az1
p5.48xlarge,H100,8,192,2048,,104.0,0,eu-west-2,euw2-az1
p6-b200.48xlarge,B200,8.0,192,2048,,113.9328,,us-west-2,usw2-az1
p4d.24xlarge,A100,8.0,96,1152,,0,11.2,us-west-2,usw2-az1
g6f.large,L4,0.125,2,8,,0.1,,us-east-1,use1-az1
m5.large,,,2,8,,0.096,0.03,us-east-1,use1-az1
dl1.24xlarge,Gaudi HL-205,8.0,96,768,,13.1,,us-east-1,use1-az1

,T4,1.0,,,,0.35,,us-central1,
,tpu-v6e-8,1,,,,21.6,5.0,us-east5,
,tpu-v5p-8,1,,,,16.8,700.0,us-east5,
CSV
} >"$dir/vms.csv"
"$prices" --provider aws --date 2026-08-01 "$dir/vms.csv" >"$dir/prices.json" 2>"$dir/err" || bad "exit status $?"
says "$dir/err" "9 offers" "1 rows without an accelerator" "1 with a share" "1 of unknown ones (Gaudi HL-205"
"$prices" --date 2026-08-01 --provider aws <"$dir/vms.csv" 2>/dev/null | cmp -s - "$dir/prices.json" || bad "standard input"
says "$dir/prices.json" \
    '"id": "aws-h100-sxm-80gb-us-east-1", "accelerator": "h100-sxm-80gb", "provider": "AWS", "instance": "p5.48xlarge", "region": "us-east-1", "term": "on-demand", "price": 12.29, "source": "SkyPilot catalog, aws/vms.csv", "date": "2026-08-01", "confidence": "high"}' \
    '"id": "aws-h100-sxm-80gb-us-east-1-spot"' '"term": "spot", "price": 2.5,' '"confidence": "medium"' \
    '"id": "aws-h100-sxm-80gb-eu-west-2"' '"price": 14.2416' '"id": "aws-a100-sxm-40gb-us-west-2-spot"' \
    '"id": "aws-t4-us-central1"' 'without its host' '"confidence": "low"' \
    '"id": "aws-tpu-v6e-us-east5"' '"price": 2.7,' '"price": 0.625' '"id": "aws-tpu-v5p-us-east5"' '"price": 4.2,'
for text in eu-west-2-spot aws-a100-sxm-40gb-us-west-2\" tpu-v5p-us-east5-spot '"price": 0,' aws-l4; do
    grep -qF -e "$text" "$dir/prices.json" && bad "there is a '$text'"
done

# The program takes the offers, all of them, and counts with them.
"$program" list offers aws- --catalog "$dir/prices.json" --json >"$dir/out" || bad "list"
[ "$(grep -o '"id":"aws-' "$dir/out" | wc -l)" -eq 9 ] || bad "offers of the list: $(cat "$dir/out")"
"$program" fit --catalog "$dir/prices.json" --model llama-3-8b --accelerator h100-sxm-80gb --accelerators 64 --tp 8 --zero 1 \
    --tokens 1B --offer aws-h100-sxm-80gb-us-east-1 >"$dir/out" || bad "fit"
says "$dir/out" '$12.29/h'

header='AcceleratorName,AcceleratorCount,Price,Region'
printf '%s\n' "$header" >"$dir/empty.csv"
"$prices" --provider aws --date 2026-08-01 "$dir/empty.csv" >"$dir/out" 2>/dev/null || bad "a file without rows"
"$program" list offers h100 --catalog "$dir/out" >/dev/null || bad "a catalog without offers"
for row in '"H100,1,2,x' 'H100,1,2' 'H100,1,2,x,y' 'H"100,1,2,x' '"H100"x,1,2,y' 'H100,one,2,x' 'H100,1,-2,x' 'H100,1,nan,x'; do
    printf '%s\n%s\n' "$header" "$row" >"$dir/broken.csv"
    error "line 2" --provider aws --date 2026-08-01 "$dir/broken.csv"
done
printf 'AcceleratorName,Price,Region\n' >"$dir/broken.csv"
error "no column AcceleratorCount" --provider aws --date 2026-08-01 "$dir/broken.csv"
printf 'Price,Price,AcceleratorName,AcceleratorCount,Region\n' >"$dir/broken.csv"
error "the column Price twice" --provider aws --date 2026-08-01 "$dir/broken.csv"
error "no header" --provider aws --date 2026-08-01 /dev/null
error "--provider" --date 2026-08-01 "$dir/vms.csv"
error "--date" --provider aws --date 01.08.2026 "$dir/vms.csv"
error "--date" --provider aws "$dir/vms.csv"
error "usage" --provider aws --date 2026-08-01 --frobnicate "$dir/vms.csv"
error "absent.csv" --provider aws --date 2026-08-01 "$dir/absent.csv"

[ $failed -eq 0 ] && echo "passed"
[ $failed -eq 0 ]
