"""The measurements of Scripts/bench: servers to start, load to send, results to compare with goals."""
