#!/bin/bash
# Starts munge, slurmctld with the plug-in of bindings/slurm, and slurmd on this machine with GPUs that are only counted; submits
# jobs that fit and jobs that do not, and shows what became of them. The plug-in is built against an installed library.
#
#     slurm.sh SOURCE_ROOT BUILD_DIR CC MESON
#
# 77: not root, or a tool or header is not here (Debian: slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge libslurm-dev).
set -eu
source_root=$1 build=$2 cc=$3 meson=$4
[ "$(id -u)" -eq 0 ] || { echo "not tried: the daemons of Slurm want root"; exit 77; }
for tool in munged mungekey slurmctld slurmd sbatch scontrol pkg-config; do
    command -v "$tool" >/dev/null || { echo "not tried: there is no $tool"; exit 77; }
done
[ -f /usr/include/slurm/slurm.h ] || { echo "not tried: there is no slurm/slurm.h"; exit 77; }
. "$source_root/tests/consumers/stage.sh"
daemons=()
stop() {
    local pid
    for pid in "${daemons[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    wait
    rm -rf "$work"
}
trap stop EXIT

step the plug-in
sources=$source_root/bindings/slurm
mkdir "$work/plugins"
flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs clustersize)
$cc -std=c11 -Wall -Wextra -Werror "$sources/test_admission.c" "$sources/admission.c" $flags -lm -o "$work/test_admission"
good "$work/test_admission"
$cc -std=gnu11 -Wall -Wextra -Werror -shared -fPIC "$sources/job_submit_clustersize.c" "$sources/admission.c" $flags -lm \
    -Wl,-rpath,"$libdir" -o "$work/plugins/job_submit_clustersize.so"
unset LD_LIBRARY_PATH

step daemons
host=$(hostname -s)
mkdir -m 755 "$work/etc" "$work/state" "$work/spool" "$work/munge"
chmod 755 "$work"
mungekey --create --keyfile="$work/munge/key" # 1,024 bits of this machine
munged --foreground --socket="$work/munge/socket" --key-file="$work/munge/key" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" --force >"$work/munge/out" 2>&1 &
daemons+=($!)
slurm_plugins=$(dirname "$(find /usr/lib /usr/lib64 -name select_cons_tres.so 2>/dev/null | head -n 1)")
cat >"$work/etc/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
PluginDir=$work/plugins:$slurm_plugins
JobSubmitPlugins=clustersize
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/state/slurmctld.pid
SlurmdPidFile=$work/spool/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SchedulerParameters=sched_interval=1
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 CPUs=1 Gres=gpu:8 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
touch "$work"/gpu{0..7} # what Slurm takes for devices
echo "Name=gpu File=$work/gpu[0-7]" >"$work/etc/gres.conf"
echo "CgroupPlugin=cgroup/v1" >"$work/etc/cgroup.conf"
export SLURM_CONF=$work/etc/slurm.conf
for turn in $(seq 50); do [ -S "$work/munge/socket" ] && break; sleep 0.2; done
slurmctld -D >"$work/slurmctld.out" 2>&1 &
daemons+=($!)
slurmd -D -N "$host" >"$work/slurmd.out" 2>&1 &
daemons+=($!)
logs() {
    tail -n 20 "$work"/slurmctld.log "$work"/slurmd.log "$work"/*.out 2>/dev/null || true
}
for turn in $(seq 100); do
    sinfo -h -o %T 2>/dev/null | grep -q '^idle' && break
    sleep 0.3
done
sinfo -o '%N %G %T' || { logs; fail "slurmctld does not answer"; }
sinfo -h -o %T | grep -q '^idle' || { logs; fail "the node is not idle"; }

# job NAME COMMENT OPTION...: submits a script with that comment in it; what sbatch says is $said.
job() {
    local name=$1 comment=$2
    shift 2
    printf '#!/bin/sh\n%s\nscontrol show job $SLURM_JOB_ID | grep -o "TimeLimit=[^ ]*"\n' \
        "${comment:+#SBATCH --comment \"$comment\"}" >"$work/$name.sh"
    said=$(sbatch --output="$work/$name.txt" "$@" "$work/$name.sh" 2>&1) || true
    echo "$said"
}
# ran NAME LIMIT: waits for the output of a job and compares its time limit.
ran() {
    local turn
    for turn in $(seq 100); do [ -s "$work/$1.txt" ] && break; sleep 0.3; done
    grep . "$work/$1.txt" || { logs; fail "$1 did not run"; }
    grep -q "$2" "$work/$1.txt" || fail "$1: not $2"
}
model8="clustersize model=llama-3-8b accelerator=h100-sxm-80gb tp=2 zero=optimizer"

step a job that fits is queued, with the time limit of the estimate
expected=$(LD_LIBRARY_PATH=$libdir "$prefix/bin/clustersize" fit --model llama-3-8b --accelerator h100-sxm-80gb --tp 2 \
    --zero optimizer --tokens 10M --accelerators 8 --json | python3 -c '
import json, math, sys
print("TimeLimit=00:%02d:00" % math.ceil(json.load(sys.stdin)["run"]["time_range"][1] / 60))')
job fits "$model8 tokens=10M" --gres=gpu:8
ran fits "$expected"

step a limit that the user gives stays
job stated "$model8 tokens=10M" --gres=gpu:8 --time=7
ran stated TimeLimit=00:07:00

step a job that does not fit is refused
job big "clustersize model=llama-3-70b accelerator=h100-sxm-80gb tp=8 tokens=1B" --gres=gpu:8
echo "$said" | grep -q 'clustersize: does not fit: .* GiB of .* GiB usable' || { logs; fail "no sentence"; }

step a plan that cannot be, and counts that contradict each other
job plan "clustersize model=llama-3-8b accelerator=h100-sxm-80gb tp=3 tokens=1B" --gres=gpu:8
echo "$said" | grep -q 'error: clustersize: ' || fail "no sentence"
job counts "$model8 accelerators=16" --gres=gpu:8
echo "$said" | grep -q 'accelerators=16, but the job asks for 8' || fail "no sentence"

step the environment describes a job as well
CLUSTERSIZE="model=llama-3-70b accelerator=h100-sxm-80gb tp=8" job environment "" --gres=gpu:8
echo "$said" | grep -q 'clustersize: does not fit: ' || fail "no sentence"

step a job without a description is left alone
job other ""
ran other TimeLimit=
scontrol show job --oneliner | grep -oE 'JobName=(big|plan|counts|environment)[^ ]*' && fail "a refused job is in the queue"
kill -0 "${daemons[@]}" || { logs; fail "a daemon is gone"; }
echo "good: Slurm"
