import type { TableDeclaration } from 'renown'

/**
 * The sealed rows of AiTrafficDaily: one per site and day, with the highest `rev`. When a hit is added to a
 * day, its row is replaced. Lists of paths, agents and referrers are JSON, ready to send.
 */
export const dailyTable = {
  name: 'ai_traffic_daily',
  columns: {
    id: 'String',
    workspace_id: 'LowCardinality(String)',
    location_id: 'LowCardinality(String)',
    site_id: 'LowCardinality(String)',
    date: 'Date',
    timezone: 'LowCardinality(String)',
    rev: 'UInt64',
    sealed_at: 'DateTime64(3)',
    crawler_hits: 'UInt64',
    verified_hits: 'UInt64',
    spoofed_hits: 'UInt64',
    signed_hits: 'UInt64 DEFAULT 0',
    verified_by: 'Nullable(String) CODEC(ZSTD(3))',
    by_signer: 'Nullable(String) CODEC(ZSTD(3))',
    unique_agents: 'UInt32',
    referral_visits: 'UInt64',
    by_agent: 'String CODEC(ZSTD(3))',
    by_category: 'String CODEC(ZSTD(3))',
    top_paths: 'String CODEC(ZSTD(3))',
    paths_by_category: 'String CODEC(ZSTD(3))',
    crawler_errors: 'Nullable(String) CODEC(ZSTD(3))',
    robots_check: 'Nullable(String) CODEC(ZSTD(3))',
    agent_paths: 'Nullable(String) CODEC(ZSTD(3))',
    by_referrer: 'String CODEC(ZSTD(3))',
    referral_paths: 'String CODEC(ZSTD(3))',
    created_date: 'String CODEC(ZSTD(1))',
    updated_date: 'String CODEC(ZSTD(1))',
  },
  engine: 'ReplacingMergeTree(rev)',
  people: [
    'top_paths',
    'paths_by_category',
    'crawler_errors',
    'robots_check',
    'agent_paths',
    'by_referrer',
    'referral_paths',
  ],
  // Starts with the workspace, so that its rows are adjacent, and those of a site are in order of date.
  orderBy: ['workspace_id', 'site_id', 'date'],
  partitionBy: 'toYYYYMM(date)',
  settings: { index_granularity: 256 },
} as const satisfies TableDeclaration
