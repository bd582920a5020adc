-- For wrk: prints the outcome as one line of JSON.
done = function(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"seconds":%.6f,"p50_us":%d,"p90_us":%d,"p99_us":%d,"errors":%d}\n',
        summary.requests, summary.duration / 1000000, latency:percentile(50), latency:percentile(90),
        latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
