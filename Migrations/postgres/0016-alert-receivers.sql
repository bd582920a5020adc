-- Oldest reader: 13
-- Several receivers of each channel. `target_hash` says for which of them a delivery is, by the hash of its address; NULL
-- is any receiver of the channel, as before.

ALTER TABLE alert_deliveries ADD COLUMN target_hash BYTEA
    CHECK (target_hash IS NULL OR length(target_hash) = 32);

DROP INDEX idx_alert_deliveries_user_threshold_channel;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_target
ON alert_deliveries (user_threshold, channel, COALESCE(target_hash, '\x'::BYTEA))
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

-- Takes the place of `alert_disabled_channels`, which has one receiver of each channel and is for older programs.
CREATE TABLE alert_disabled_targets (
    target_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(target_hash) = 32),
    disabled_at BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL
);

INSERT INTO alert_disabled_targets (target_hash, disabled_at, reason)
SELECT target_hash, disabled_at, reason FROM alert_disabled_channels;
