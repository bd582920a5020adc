-- Oldest reader: 13
-- Where the App Store made a purchase: for customers, or for testers without money.

ALTER TABLE purchases ADD COLUMN environment TEXT COLLATE "C" NOT NULL DEFAULT 'production'
    CHECK (environment IN ('production', 'sandbox'));
