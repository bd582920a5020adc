-- Whether a subscription is for work is its scope; a category is what kind of service it is. Until now, `pro` and `personal`
-- were categories. What is known of when the category was set is true of the scope, too.
ALTER TABLE subscriptions ADD COLUMN scope TEXT NOT NULL DEFAULT 'personal';
UPDATE subscriptions SET scope = category WHERE category IN ('pro', 'personal');
UPDATE subscriptions SET category = 'other' WHERE category IN ('pro', 'personal');
UPDATE subscriptions SET stamps = stamps || ';scope=' || substr(stamps, instr(stamps, 'category=') + 9, 32)
WHERE instr(stamps, 'category=') > 0;
-- What people called their own categories and is built in now.
UPDATE subscriptions SET category = lower(category)
WHERE lower(category) IN (
    'cloud', 'finance', 'fitness', 'sport', 'streaming', 'transport', 'ai', 'books', 'business',
    'dating', 'education', 'energy', 'food', 'gaming', 'health', 'home', 'insurance', 'kids',
    'music', 'other', 'pets', 'press', 'security', 'shopping', 'software', 'telecom'
);
UPDATE subscriptions
SET category = CASE lower(category)
    WHEN 'ia' THEN 'ai'
    WHEN 'livres' THEN 'books'
    WHEN 'entreprise' THEN 'business'
    WHEN 'rencontres' THEN 'dating'
    WHEN 'éducation' THEN 'education'
    WHEN 'Éducation' THEN 'education'
    WHEN 'énergie' THEN 'energy'
    WHEN 'Énergie' THEN 'energy'
    WHEN 'energie' THEN 'energy'
    WHEN 'alimentation' THEN 'food'
    WHEN 'jeux vidéo' THEN 'gaming'
    WHEN 'jeux video' THEN 'gaming'
    WHEN 'santé' THEN 'health'
    WHEN 'sante' THEN 'health'
    WHEN 'maison' THEN 'home'
    WHEN 'assurance' THEN 'insurance'
    WHEN 'enfants' THEN 'kids'
    WHEN 'musique' THEN 'music'
    WHEN 'autre' THEN 'other'
    WHEN 'animaux' THEN 'pets'
    WHEN 'presse' THEN 'press'
    WHEN 'sécurité' THEN 'security'
    WHEN 'securite' THEN 'security'
    WHEN 'achats' THEN 'shopping'
    WHEN 'logiciels' THEN 'software'
    WHEN 'télécoms' THEN 'telecom'
    WHEN 'telecoms' THEN 'telecom'
    ELSE category
END;

ALTER TABLE budgets ADD COLUMN scope TEXT NOT NULL DEFAULT '';
UPDATE budgets SET scope = category, category = '' WHERE category IN ('pro', 'personal');

-- Rows that an undo would write.
UPDATE journal_records
SET before = json_set(before, '$.scope', json_extract(before, '$.category'), '$.category', 'other')
WHERE name = 'subscriptions' AND json_extract(before, '$.category') IN ('pro', 'personal');
UPDATE journal_records
SET after = json_set(after, '$.scope', json_extract(after, '$.category'), '$.category', 'other')
WHERE name = 'subscriptions' AND json_extract(after, '$.category') IN ('pro', 'personal');
UPDATE journal_records
SET before = json_set(before, '$.scope', json_extract(before, '$.category'), '$.category', '')
WHERE name = 'budgets' AND json_extract(before, '$.category') IN ('pro', 'personal');
UPDATE journal_records
SET after = json_set(after, '$.scope', json_extract(after, '$.category'), '$.category', '')
WHERE name = 'budgets' AND json_extract(after, '$.category') IN ('pro', 'personal');

-- Derived, so it is filled again by the first call. New: `is_pro`.
DROP TABLE standings;
CREATE TABLE standings (
    sort_name TEXT NOT NULL,
    num INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    -- The id's halves: two numbers are read several times faster than a blob.
    id_high INTEGER NOT NULL,
    id_low INTEGER NOT NULL,
    name TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency INTEGER NOT NULL,
    cycle INTEGER NOT NULL,
    category TEXT NOT NULL,
    is_pro INTEGER NOT NULL,
    status INTEGER NOT NULL,
    next_day INTEGER,
    due_day INTEGER,
    -- Whether its annual figure counts in the totals.
    is_counted INTEGER NOT NULL,
    -- Whether nothing but the passing of days will change it.
    is_steady INTEGER NOT NULL,
    -- The first day on which this row is no longer true.
    changes_on INTEGER,
    -- Through which day passed billing days are in the ledger.
    posted_through INTEGER NOT NULL,
    -- The first day of a cancellation that is still to come.
    cancel_day INTEGER,
    is_variable INTEGER NOT NULL,
    PRIMARY KEY (sort_name, id_high, id_low)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX idx_standings_num ON standings (num);
CREATE INDEX idx_standings_changes_on ON standings (changes_on);
-- Both hold all that is asked of them, so that pending, widget, forecast and totals read nothing else.
CREATE INDEX idx_standings_due_day ON standings (
    due_day, num, is_steady, cycle, amount, currency, id_high, id_low, name
) WHERE due_day IS NOT NULL;
CREATE INDEX idx_standings_is_counted ON standings (is_counted, currency, is_pro, category, cycle, amount);

-- The day for which `standings` holds: none.
UPDATE store SET as_of = -719162;
