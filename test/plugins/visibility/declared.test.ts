import { VisibilityPrompt } from '../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import { declares } from '../../support/declared'

declares(VisibilityTracker, {
  location_id: 'string',
  name: 'string',
  brand_name: 'string',
  brand_domain: 'string',
  brand_aliases: 'string[]',
  competitors: 'object[]',
  engines: 'string[]',
  provider: 'string',
  is_active: 'boolean',
  run_frequency_hours: 'number',
  last_run_at: 'instant',
  last_scheduled_run_at: 'instant',
  last_run_summary: 'object',
  'last_run_summary.at': 'instant',
  'last_run_summary.ran': 'integer',
  'last_run_summary.errors': 'integer',
  'last_run_summary.planned': 'integer',
  'last_run_summary.truncated': 'boolean',
  'last_run_summary.quota_used': 'number',
  'last_run_summary.quota_limit': 'number',
  'last_run_summary.error_samples': 'string[]',
  'last_run_summary.message': 'string',
})

declares(VisibilityPrompt, {
  tracker_id: 'string',
  location_id: 'string',
  text: 'string',
  language: 'string',
  country: 'string',
  topic: 'string',
  tags: 'string[]',
  intent: 'enum(informational,commercial,navigational,local)',
  status: 'enum(active,paused)',
  source: 'enum(user,suggested)',
  last_run_at: 'instant',
})

declares(VisibilityRun, {
  tracker_id: 'string',
  prompt_id: 'string',
  location_id: 'string',
  engine: 'string',
  model: 'string',
  provider: 'string',
  access: 'enum(api,scraped,recorded)',
  country: 'string',
  started_at: 'instant',
  finished_at: 'instant',
  status: 'enum(ok,no_answer,error,refused)',
  error: 'string',
  answer_text: 'string',
  search_queries: 'string[]',
  citations: 'object[]',
  brand_mentioned: 'boolean',
  brand_cited: 'boolean',
  brand_position: 'integer',
  competitor_mentions: 'object[]',
  definition_version: 'string',
  batch_id: 'string',
  cost: 'number',
})
