import { expect, test } from 'bun:test'
import { hiddenFields } from '../../../core/kit/fields'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'

test('the hash of a forwarder token never leaves the service', () => {
  expect(hiddenFields(AiTrafficSite)).toEqual([
    'forwarder_token_hash',
    'log_mapping',
    'handing_over',
    'is_read_remotely',
  ])
})

test('the table of sealed days keeps its columns, its order and its engine', () => {
  const stored = {
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
    unique_agents: 'UInt32',
    referral_visits: 'UInt64',
    created_date: 'String CODEC(ZSTD(1))',
    updated_date: 'String CODEC(ZSTD(1))',
  }
  const lists = ['by_agent', 'by_category', 'top_paths', 'paths_by_category', 'by_referrer', 'referral_paths']
  expect<unknown>(dailyTable).toEqual({
    name: 'ai_traffic_daily',
    columns: {
      ...stored,
      verified_by: 'Nullable(String) CODEC(ZSTD(3))',
      by_signer: 'Nullable(String) CODEC(ZSTD(3))',
      crawler_errors: 'Nullable(String) CODEC(ZSTD(3))',
      robots_check: 'Nullable(String) CODEC(ZSTD(3))',
      agent_paths: 'Nullable(String) CODEC(ZSTD(3))',
      ...Object.fromEntries(lists.map((name) => [name, 'String CODEC(ZSTD(3))'])),
    },
    engine: 'ReplacingMergeTree(rev)',
    orderBy: ['workspace_id', 'site_id', 'date'],
    partitionBy: 'toYYYYMM(date)',
    settings: { index_granularity: 256 },
    people: [
      'top_paths',
      'paths_by_category',
      'crawler_errors',
      'robots_check',
      'agent_paths',
      'by_referrer',
      'referral_paths',
    ],
  })
})
