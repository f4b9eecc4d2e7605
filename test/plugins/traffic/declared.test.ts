import { expect, test } from 'bun:test'
import { hiddenFields } from '../../../core/kit/fields'
import { AiTrafficDaily } from '../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { declares } from '../../support/declared'

declares(AiTrafficSite, {
  workspace_id: 'string',
  location_id: 'string',
  domain: 'string',
  timezone: 'string',
  site_key: 'string',
  is_active: 'boolean',
  count_search_engines: 'boolean',
  respect_dnt: 'boolean',
  last_beacon_at: 'instant|null',
  last_log_at: 'instant|null',
  forwarder_token_last4: 'string',
})

declares(AiTrafficDaily, {
  site_id: 'string',
  location_id: 'string',
  date: 'day',
  crawler_hits: 'integer',
  verified_hits: 'integer',
  spoofed_hits: 'integer',
  signed_hits: 'integer',
  verified_by: 'object',
  'verified_by.address': 'integer',
  'verified_by.signature': 'integer',
  'verified_by.both': 'integer',
  by_signer: 'object',
  unique_agents: 'integer',
  by_agent: 'object',
  by_category: 'object',
  'by_category.ai_answers': 'integer',
  'by_category.search_index': 'integer',
  'by_category.training': 'integer',
  'by_category.other_ai': 'integer',
  top_paths: 'object[]',
  paths_by_category: 'object',
  'paths_by_category.ai_answers': 'object[]',
  'paths_by_category.search_index': 'object[]',
  'paths_by_category.training': 'object[]',
  'paths_by_category.other_ai': 'object[]',
  crawler_errors: 'object[]',
  robots_check: 'object',
  'robots_check.judged': 'integer',
  'robots_check.disallowed': 'integer',
  'robots_check.verified': 'integer',
  'robots_check.most': 'object[]',
  referral_visits: 'integer',
  by_referrer: 'object',
  referral_paths: 'object[]',
})

test('the hash of a forwarder token never leaves the service', () => {
  expect(hiddenFields(AiTrafficSite)).toEqual([
    ...['forwarder_token_hash', 'log_mapping', 'handing_over', 'is_read_remotely'],
  ])
})

test('the table of sealed days keeps its columns, its order and its engine', () => {
  const stored = {
    ...{ id: 'String', workspace_id: 'LowCardinality(String)', location_id: 'LowCardinality(String)' },
    ...{ site_id: 'LowCardinality(String)', date: 'Date', timezone: 'LowCardinality(String)' },
    ...{ rev: 'UInt64', sealed_at: 'DateTime64(3)' },
    ...{
      crawler_hits: 'UInt64',
      verified_hits: 'UInt64',
      spoofed_hits: 'UInt64',
      signed_hits: 'UInt64 DEFAULT 0',
    },
    ...{ unique_agents: 'UInt32', referral_visits: 'UInt64' },
    ...{ created_date: 'String CODEC(ZSTD(1))', updated_date: 'String CODEC(ZSTD(1))' },
  }
  const lists = ['by_agent', 'by_category', 'top_paths', 'paths_by_category', 'by_referrer', 'referral_paths']
  expect(dailyTable).toEqual({
    name: 'ai_traffic_daily',
    columns: {
      ...stored,
      verified_by: 'Nullable(String) CODEC(ZSTD(3))',
      by_signer: 'Nullable(String) CODEC(ZSTD(3))',
      crawler_errors: 'Nullable(String) CODEC(ZSTD(3))',
      robots_check: 'Nullable(String) CODEC(ZSTD(3))',
      agent_paths: 'Nullable(String) CODEC(ZSTD(3))',
      ...Object.fromEntries(lists.map((name) => [name, 'String CODEC(ZSTD(3))'])),
    } as never,
    engine: 'ReplacingMergeTree(rev)',
    orderBy: ['workspace_id', 'site_id', 'date'],
    partitionBy: 'toYYYYMM(date)',
    settings: { index_granularity: 256 },
  })
})
