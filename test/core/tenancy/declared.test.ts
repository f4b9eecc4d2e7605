import { expect, test } from 'bun:test'
import { Agency, BusinessLocation, User, Workspace } from '../../../core/product/tenancy-plugin'
import { Notification } from '../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { declares } from '../../support/declared'

declares(Workspace, {
  name: 'string',
  agency_id: 'string',
  is_home: 'boolean',
  timezone: 'string',
  locale: 'string',
  plan: 'string',
  locations_count: 'integer',
  active_locations_count: 'integer',
  white_label_domain: 'string',
  is_demo: 'boolean',
  is_active: 'boolean',
})

declares(BusinessLocation, {
  google_place_id: 'string',
  google_account_id: 'string',
  google_location_id: 'string',
  facebook_page_id: 'string',
  youtube_channel_id: 'string',
  reddit_account_id: 'string',
  reddit_username: 'string',
  // Any text here: platform plugins provide the names (test/core/registry/extensions.test.ts).
  source: 'string',
  added_via: 'enum(gbp_oauth,places,website,dfs_keyword)',
  business_name: 'string',
  business_category: 'string',
  address_line1: 'string',
  address_line2: 'string',
  city: 'string',
  state: 'string',
  postal_code: 'string',
  country: 'string',
  phone: 'string',
  website: 'string',
  google_maps_url: 'string',
  latitude: 'number',
  longitude: 'number',
  cover_photo_url: 'string',
  logo_url: 'string',
  average_rating: 'number',
  total_reviews: 'number',
  is_verified: 'boolean',
  is_active: 'boolean',
  is_prospect: 'boolean',
  billing_exempt: 'boolean',
  trial_state: 'enum(trialing,converted,ended)',
  trial_started_at: 'instant',
  trial_end: 'instant',
  trial_converted_at: 'instant',
  trial_ended_at: 'instant',
  trial_charge_amount: 'number',
  trial_charge_interval: 'enum(month,year)',
  last_synced_at: 'instant',
  last_full_review_sync_at: 'instant',
  review_count_recheck_after: 'instant',
  review_link: 'string',
  ai_insights: 'object',
  ai_insights_updated_at: 'instant',
  ai_insights_review_count: 'number',
  is_online_only: 'boolean',
  is_online_only_overridden: 'boolean',
  enrichment: 'object',
  'enrichment.about': 'string',
  'enrichment.services': 'string[]',
  'enrichment.attributes': 'string[]',
  'enrichment.hours': 'object',
  'enrichment.service_area': 'string',
  'enrichment.languages': 'string[]',
  'enrichment.socials': 'object',
  'enrichment.sources': 'object[]',
  'enrichment.confidence': 'number',
  enrichment_overrides: 'object',
  'enrichment_overrides.about': 'string',
  'enrichment_overrides.services': 'string[]',
  'enrichment_overrides.attributes': 'string[]',
  manual_notes: 'string',
  enrichment_updated_at: 'instant',
  enrichment_source: 'enum(first-add,manual-refresh)',
  enrichment_status: 'enum(pending,success,partial,failed)',
  enrichment_error: 'string',
  enrichment_method: 'string',
  auto_response_enabled: 'boolean',
})

declares(Notification, {
  workspace_id: 'string',
  location_id: 'string',
  type: 'string',
  severity: 'enum(info,warning,critical)',
  title: 'string',
  body: 'string',
  entity: 'string',
  entity_id: 'string',
  is_read: 'boolean',
  read_at: 'instant|null',
})

declares(SyncStatus, {
  workspace_id: 'string',
  location_id: 'string',
  kind: 'enum(reviews,mentions,visibility,enrichment,ranges)',
  source: 'string',
  status: 'enum(idle,running,succeeded,failed,partial)',
  started_at: 'instant',
  finished_at: 'instant',
  items_seen: 'integer',
  items_changed: 'integer',
  complete: 'boolean',
  error: 'string',
})

test('agencies and people are never offered to callers', () => {
  expect([Agency.reads, User.reads]).toEqual([[], []])
})

test('lists leave prospects out unless they are named', () => {
  expect(BusinessLocation.except).toEqual({ is_prospect: true })
})
