import clustersize

workload = clustersize.Workload(model="llama-3-70b", tokens="1T")
cluster = clustersize.Cluster(accelerator="h100-sxm-80gb", accelerators=64)
plan = clustersize.Plan("tp=8 pp=2 sharding=optimizer stack=megatron")
estimate = clustersize.estimate(workload, cluster, plan)
print("fits: %s, %.1f to %.1f days" % (estimate.memory.fit, estimate.run.time.low / 86400, estimate.run.time.high / 86400))
