import { expect, test } from 'bun:test'
import { SyncStatus } from 'renown/records'
import { testHomeCard, testLocationCard } from 'renown/testing'
import enrichment from '../../../plugins/enrichment'
import locations from '../../../plugins/locations'
import prospects from '../../../plugins/prospects'
import { ProspectAudit } from '../../../plugins/prospects/records/ProspectAudit'
import reviews from '../../../plugins/reviews'
import { Review } from '../../../plugins/reviews/records/Review'
import traffic from '../../../plugins/traffic'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { setRow } from '../../support/any-state'
import { part } from '../../support/part'
import { sampleRow } from '../../support/sample-row'
import parking, { Parking } from './parking'

testLocationCard({
  plugin: parking,
  name: 'parking',
  shows: '12 spaces.',
  prepare: async (gate, { id }) => void (await gate.put(Parking, { location_id: id, spaces: 12 })),
  forms: { 'set-parking': { spaces: '8' } },
})
testLocationCard({
  plugin: locations,
  name: 'profile',
  location: { city: 'Bath' },
  shows: 'Bath',
  forms: { profile: { city: 'Ghent' } },
})
testLocationCard({
  plugin: locations,
  name: 'notes',
  location: { manual_notes: 'Closed in May' },
  shows: 'Closed in May',
  forms: { notes: { online_only: 'no', notes: 'Open in May' } },
})
testLocationCard({
  plugin: locations,
  name: 'readings',
  shows: 'a source of words',
  prepare: async (gate, { id }) =>
    void (await gate.put(SyncStatus, {
      location_id: id,
      kind: 'reviews',
      source: 'a source of words',
      status: 'succeeded',
      items_seen: 1,
      items_changed: 0,
      complete: true,
    })),
})
testLocationCard({
  plugin: enrichment,
  name: 'enrichment',
  location: { enrichment: { about: 'Bread since 1900' }, website: 'https://bakery.example' },
  shows: 'Bread since 1900',
  forms: {
    refresh: {},
    correct: { key: 'about', about: 'Bread since 1890' },
    'take-back': { key: 'about' },
  },
})
testLocationCard({
  plugin: reviews,
  name: 'replies',
  shows: 'Automatic replies',
  forms: { replies: { on: 'on' } },
})
testLocationCard({
  plugin: prospects,
  name: 'audit',
  location: { is_prospect: true, is_active: false },
  shows: '87 of 100',
  async prepare(gate, { id: location_id }) {
    const audit = { location_id, business_name: 'Bakery', status: 'queued' } as const
    const { id } = await gate.put(ProspectAudit, audit)
    const ended = { status: 'completed', score: 87, completed_at: '2026-01-01T00:00:00.000Z' }
    await setRow(gate.documents.collection(ProspectAudit), id, ended)
  },
  forms: { pitch: {}, audit: { again: 'yes' } },
  leadsTo: { pitch: '/app/reports/one?report=' },
})

testLocationCard({
  plugin: traffic,
  name: 'sites',
  shows: 'müller.example',
  prepare: async (gate, { id: location_id }) =>
    void (await gate.put(
      AiTrafficSite,
      part({
        ...(sampleRow(AiTrafficSite, 'site') as object),
        location_id,
        domain: 'xn--mller-kva.example',
        timezone: 'UTC',
        handing_over: undefined,
      }),
    )),
})

testHomeCard({
  plugin: parking,
  name: 'parking',
  shows: 'Locations with parking spaces.',
  prepare: async (gate) => void (await gate.put(Parking, { location_id: 'loc_1', spaces: 1 })),
})
testHomeCard({
  plugin: reviews,
  name: 'reviews',
  shows: 'No review has stars.',
  prepare: async (gate) =>
    void (await gate.put(Review, part({ ...sampleRow(Review, 'words'), location_id: 'loc_1' }))),
})
testHomeCard({
  plugin: traffic,
  name: 'install',
  shows: '0 of 1 website reported',
  prepare: async (gate) =>
    void (await gate.put(AiTrafficSite, part({ ...sampleRow(AiTrafficSite, 'words'), is_active: true }))),
})
test('the example of docs/plugin-authors/location-cards.md is the plugin that the suites run', async () => {
  const page = await Bun.file(
    new URL('../../../docs/plugin-authors/location-cards.md', import.meta.url),
  ).text()
  for (const file of ['index.ts', 'parking-card.tsx'])
    expect(page).toContain(await Bun.file(new URL(`./parking/${file}`, import.meta.url)).text())
})
