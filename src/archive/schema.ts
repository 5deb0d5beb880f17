/**
 * The archive's tables. Times are as in `Time`; `*_ms` are epoch milliseconds. Text columns hold redacted text only.
 * `migrations[n]` takes version n to n + 1 (`PRAGMA user_version`); a file with a higher version is refused.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice: others remember it
    harness TEXT NOT NULL,
    sid TEXT NOT NULL,                 -- the store's own id
    title TEXT, workspace TEXT, project TEXT,
    started_at TEXT, updated_at TEXT,
    parent_sid TEXT, kind TEXT NOT NULL, model TEXT,
    archived INTEGER NOT NULL DEFAULT 0,
    deleted_at TEXT,                   -- when all its transcripts were first seen gone, their root being there
    written_ms INTEGER NOT NULL DEFAULT 0,  -- newest change of its transcripts: liveness only, never shown as a time
    records INTEGER NOT NULL DEFAULT 0,     -- how many it holds, a fork's copies not counted
    redaction INTEGER NOT NULL,        -- version of the rules that its title went through
    UNIQUE (harness, sid)
  );
  CREATE INDEX sessions_by_project ON sessions (project, updated_at);
  CREATE INDEX sessions_by_sid ON sessions (sid);
  CREATE INDEX sessions_by_parent ON sessions (harness, parent_sid) WHERE parent_sid IS NOT NULL;

  -- every project in which a session was worked or changed files, its own included
  CREATE TABLE session_projects (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    project TEXT NOT NULL,
    PRIMARY KEY (session_id, project)
  ) WITHOUT ROWID;
  CREATE INDEX session_projects_by_project ON session_projects (project);

  CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    session_id INTEGER REFERENCES sessions ON DELETE CASCADE,  -- null: no session in it (yet)
    harness TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL UNIQUE, rank INTEGER NOT NULL,
    inode TEXT, size INTEGER NOT NULL, mtime_ms REAL NOT NULL,  -- of the last read; inode is device:inode
    prefix TEXT,                       -- JSON: hashes of what was read, and of the sidecars; null: read it anew
    state TEXT,                        -- the reader's, JSON
    reader INTEGER NOT NULL,           -- the reader's version; -1: read it anew, nothing in it changed
    problems TEXT,                     -- JSON Problem[]
    tries INTEGER NOT NULL DEFAULT 0,  -- reads that failed or ended the worker; skipped after some
    gone_at TEXT
  );
  CREATE INDEX transcripts_by_session ON transcripts (session_id);

  CREATE TABLE records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    transcript_id INTEGER NOT NULL REFERENCES transcripts ON DELETE CASCADE,
    seq INTEGER,                       -- the reader's; null: no longer in the file, kept
    pos INTEGER NOT NULL,              -- order within the session, over its transcripts; with gaps
    kind TEXT NOT NULL, at TEXT, tool TEXT,
    detail TEXT,                       -- output only: the skill that was loaded, the sub-agent's type
    command TEXT, exit_code INTEGER, outcome TEXT,
    form TEXT,                         -- command only: commandForm(command) of src/shared/command.ts, which recall looks it up by
    path TEXT, text TEXT, removed TEXT, added TEXT,  -- at most 4 KB each (see text.ts); the whole in big when there is more
    flags INTEGER NOT NULL DEFAULT 0,  -- 1 aside, 2 copied, 4 partial, 8 a passage starts here
    hash INTEGER NOT NULL,             -- of what it says (see hash.ts): recognised again in a file read anew, or in a copy
    redaction INTEGER NOT NULL,
    big BLOB,                          -- deflated JSON {text?, removed?, added?}; last, so that nothing is read past it
    UNIQUE (transcript_id, seq)
  );
  CREATE INDEX records_by_session ON records (session_id, pos, flags, kind);
  CREATE INDEX records_by_path ON records (path) WHERE path IS NOT NULL;
  CREATE INDEX records_by_form ON records (form) WHERE form IS NOT NULL;
  CREATE INDEX records_by_hash ON records (hash);
  -- counts calls without a look at the texts
  CREATE INDEX records_by_tool ON records (session_id, tool, detail, kind, flags, at) WHERE tool IS NOT NULL;

  -- error signatures (see errorSignatures) of commands that failed
  CREATE TABLE errors (
    record_id INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,  -- the command
    session_id INTEGER NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (record_id, signature)
  ) WITHOUT ROWID;
  CREATE INDEX errors_by_signature ON errors (signature);

  -- full text of everything, row ids as in records. searchText() decides what a token is; here only spaces part them
  CREATE VIRTUAL TABLE records_fts USING fts5 (
    text, content='', contentless_delete=1,
    tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'"
  );
  -- records that full text still lacks; long ones come last
  CREATE TABLE fts_pending (
    record_id INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
    long INTEGER NOT NULL
  );
  CREATE INDEX fts_pending_short_first ON fts_pending (long, record_id);

  CREATE TABLE usage (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    harness TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL,
    at TEXT, model TEXT, provider TEXT,
    input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, reasoning INTEGER, unsplit INTEGER,
    cost_usd REAL, coverage TEXT,
    inherited TEXT,                    -- the session whose total a fork copied; what it took is told when asked,
    inherited_unsplit INTEGER, inherited_usd REAL, inherited_sure INTEGER,  -- and settled when that session is forgotten
    PRIMARY KEY (harness, key)
  ) WITHOUT ROWID;
  CREATE INDEX usage_by_session ON usage (session_id);
  -- running totals as they were seen to grow (scope 'total'): what was spent on which day
  CREATE TABLE usage_growth (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    seen_ms INTEGER NOT NULL, unsplit INTEGER, cost_usd REAL
  );
  CREATE INDEX usage_growth_by_session ON usage_growth (session_id);

  -- compactions; the history where the agent wrote it apart (deflated JSON SessionRecord[]), else where it stands in the records
  CREATE TABLE compactions (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    key TEXT NOT NULL, at_ms INTEGER NOT NULL,
    record_id INTEGER,                 -- the first record after it, where the transcript says
    history BLOB,
    apart TEXT,                        -- the key of the history written apart, where the transcript told of it first
    redaction INTEGER NOT NULL,
    PRIMARY KEY (session_id, key)
  ) WITHOUT ROWID;

  -- what must not come back; the file forgotten.jsonl beside the archive says the same
  CREATE TABLE forgotten (
    kind TEXT NOT NULL,                -- session, project, before; except: brought back from one of the latter two
    harness TEXT NOT NULL DEFAULT '', value TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (kind, harness, value)
  ) WITHOUT ROWID;
  -- hashes of what the forgotten sessions said, so that a copy under another id stays forgotten too
  CREATE TABLE forgotten_turns (
    hash INTEGER NOT NULL, harness TEXT NOT NULL, sid TEXT NOT NULL,
    PRIMARY KEY (hash, harness, sid)
  ) WITHOUT ROWID;

  -- durable notes (deja mcp, mode remember)
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY, project TEXT, at TEXT NOT NULL, text TEXT NOT NULL, redaction INTEGER NOT NULL
  );

  -- work to be finished at the next start ('purge': forgotten words still stand in the full text's segments)
  CREATE TABLE todo (what TEXT PRIMARY KEY) WITHOUT ROWID;
  `,
  `
  -- what the archive was last written under: 'subagents' (the setting; another one brings other records)
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- sessions' passages as the index holds them (see packed-passages.ts), so that a restart need not make them again. Made
  -- when there is nothing else to do; gone with whatever they were made of
  CREATE TABLE packed_passages (
    session_id INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    version INTEGER NOT NULL, redaction INTEGER NOT NULL,
    packed BLOB NOT NULL
  );
  CREATE TRIGGER packed_until_added AFTER INSERT ON records
  BEGIN DELETE FROM packed_passages WHERE session_id = NEW.session_id; END;
  CREATE TRIGGER packed_until_removed AFTER DELETE ON records
  BEGIN DELETE FROM packed_passages WHERE session_id = OLD.session_id; END;
  CREATE TRIGGER packed_until_changed
  AFTER UPDATE OF session_id, pos, kind, at, tool, command, path, text, flags ON records
  BEGIN DELETE FROM packed_passages WHERE session_id IN (OLD.session_id, NEW.session_id); END;
  CREATE TRIGGER packed_until_moved AFTER UPDATE OF workspace ON sessions WHEN OLD.workspace IS NOT NEW.workspace
  BEGIN DELETE FROM packed_passages WHERE session_id = NEW.id; END;
  `,
  `
  -- Full text without places (they were half of the archive): which terms stand in a record, each once, parted by spaces.
  -- What a term is, and whether several stand side by side, src/index/full-text.ts says. It is filled in again.
  DROP TABLE records_fts;
  CREATE VIRTUAL TABLE records_fts USING fts5 (
    text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '+-_'"
  );
  INSERT OR REPLACE INTO fts_pending (record_id, long) SELECT id, big IS NOT NULL FROM records;
  `,
]
