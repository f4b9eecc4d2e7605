import type { JournalHit } from '../../ingest/journal/segment'

/** A crawl by GPTBot as it stands in the journal, with whatever a test says otherwise. */
export const countedHit = (over: Partial<JournalHit> = {}): JournalHit => ({
  kind: 'crawl',
  site_id: 'sit_1',
  date: '2026-11-20',
  agent: 'GPTBot',
  category: 'training',
  operator: 'OpenAI',
  path: '/',
  verdict: 'unchecked',
  ts: Date.parse('2026-11-20T10:00:00.123Z'),
  ...over,
})
