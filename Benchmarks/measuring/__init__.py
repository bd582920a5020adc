"""The measuring side of Scripts/bench: servers to start, load to send, figures to compare with goals."""
