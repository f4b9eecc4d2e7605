import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { inboxEntrySchema } from '../../../../core/contracts/inbox'
import visibility from '../../../../plugins/visibility'
import { visibilityEntries } from '../../../../plugins/visibility/cards/inbox'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { VisibilityWatch } from '../../../../plugins/visibility/records/VisibilityWatch'
import { inEnglish } from '../../../support/english-entries'
import { testInboxSource } from '../../../support/inbox-suite'
import { pageContext } from '../pages/support'
import { type VisibilityBench, visibilityBench } from '../support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

const at = '2026-03-15T04:00:00.000Z'
const trackers = () => held.bench.owner.rows(VisibilityTracker)
const entries = async () => {
  const all = await visibilityEntries.list(pageContext(held), 20)
  for (const entry of all) expect(v.safeParse(inboxEntrySchema, entry).issues).toBeUndefined()
  return inEnglish(all)
}
const wholeRound = { at, ran: 10, errors: 0, planned: 10, truncated: false }

describe('AI visibility in the inbox', () => {
  test('is silent while trackers ask as planned', async () => {
    expect(await entries()).toEqual([])
    await trackers().update('vtr_1', { last_run_summary: wholeRound, sure_until: '2026-03-01' })
    await trackers().update('vtr_1', {
      holds: [{ engine: 'claude', until: '2026-03-15T11:00:00.000Z', reason: 'claude: Too many requests' }],
    })
    expect(await entries()).toEqual([])
  })

  test('names a round in which nothing could be asked. The same reason again is not new', async () => {
    await trackers().update('vtr_1', { last_run_summary: { at, ran: 0, message: 'The budget is used up.' } })
    const [first] = await entries()
    expect(first).toMatchObject({ word: 'Failed', tone: 'bad', text: 'The budget is used up.', at })
    const later = '2026-03-16T04:00:00.000Z'
    await trackers().update('vtr_1', {
      last_run_summary: { at: later, ran: 0, message: 'The budget is used up.' },
    })
    expect((await entries())[0]?.state).toBe(first?.state as string)
    await trackers().update('vtr_1', { last_run_summary: { at: later, ran: 0, message: 'No engine.' } })
    expect((await entries())[0]?.state).not.toBe(first?.state as string)
  })

  test('names a round that a limit ended early', async () => {
    const last_run_summary = { ...wholeRound, ran: 4, truncated: true }
    await trackers().update('vtr_1', { last_run_summary })
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ word: 'Limited', tone: 'warn' })
    expect(entry?.text).toContain('4 of 10 questions')
  })

  test('names an assistant that is not asked once, whichever trackers it concerns', async () => {
    const holds = [
      {
        engine: 'claude',
        until: '2026-03-15T13:00:00.000Z',
        reason: 'claude: unavailable: set ANTHROPIC_API_KEY.',
      },
    ]
    await held.tracker({ id: 'vtr_2', location_id: 'loc_2', holds })
    await trackers().update('vtr_1', { holds, last_run_summary: wholeRound })
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      id: 'engine.claude',
      title: 'Claude is not asked now',
      about: '2 trackers',
    })
    expect(entry?.text).toStartWith('unavailable: set ANTHROPIC_API_KEY.')
  })

  test('says that a tracker knows enough, until it asks again', async () => {
    const stop_when = { half_width: 0.05, min_rounds: 5 }
    await trackers().update('vtr_1', { last_run_summary: wholeRound, sure_until: '2026-04-01', stop_when })
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ word: 'Done', tone: 'good' })
    expect(entry?.text).toContain('± 5 points. It asks again on 1 Apr 2026')
  })

  test('leaves out paused trackers and other workspaces', async () => {
    const failed = { at, ran: 0, message: 'No engine.' }
    await trackers().update('vtr_1', { last_run_summary: failed, is_active: false })
    await held.tracker({ id: 'vtr_2', workspace_id: 'wsp_2', last_run_summary: failed })
    expect(await entries()).toEqual([])
  })

  test('names a day on which an assistant seldom answered, for seven days', async () => {
    const on = (day: string, row = {}) => held.run({ started_at: `${day}T10:00:00.000Z`, ...row })
    for (let n = 0; n < 40; n++) await on('2026-03-05')
    for (const day of ['2026-03-02', '2026-03-12'])
      for (let n = 0; n < 20; n++) await on(day, n === 0 ? {} : { status: 'error', error: 'cut' })
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      id: 'incident.chatgpt.2026-03-12',
      word: 'Left out',
      tone: 'warn',
      title: 'ChatGPT seldom answered on 12 Mar 2026',
      at: '2026-03-13T00:00:00.000Z',
    })
    expect(entry?.text).toStartWith('19 of 20 questions had no answer.')
    await trackers().update('vtr_1', { is_active: false })
    expect(await entries()).toEqual([])
  })

  test('says for 30 days that a rate changed, in the words of the notification', async () => {
    const change = {
      verdict: 'down',
      before: 0.5,
      now: 0.25,
      margin: 0.1,
      common: 20,
      baseline_from: '2026-01-01',
      baseline_until: '2026-01-14',
      until: '2026-03-10',
    } as const
    const about = { workspace_id: 'wsp_1', location_id: 'loc_1', tracker_id: 'vtr_1', names: '[]' }
    const row = { ...about, baseline_from: '2026-03-11', last_change: change }
    const { id } = await held.bench.owner.rows(VisibilityWatch).insert(row)
    const [entry] = await entries()
    expect(entry).toMatchObject({ title: 'AI assistants name Acme less often', word: 'Down', tone: 'warn' })
    expect(entry?.at).toBe('2026-03-11T00:00:00.000Z')
    expect(entry?.link?.href).toBe('/app/visibility?tracker=vtr_1')
    await held.bench.owner.rows(VisibilityWatch).update(id, {
      last_change: { ...change, until: '2026-02-12' },
    })
    expect(await entries()).toEqual([])
  })
})

testInboxSource({
  plugin: visibility,
  name: 'visibility',
  async prepare(gate, workspace_id) {
    const names = { name: 'Acme tracker', brand_name: 'Acme', brand_aliases: [], competitors: [] }
    const asking = { engines: ['chatgpt'], provider: 'direct', is_active: true, run_frequency_hours: 24 }
    const last_run_summary = { at: gate.owner.now().toISOString(), ran: 0, message: 'No engine answered.' }
    await gate.put(
      VisibilityTracker,
      { location_id: 'loc_1', ...names, ...asking, last_run_summary },
      workspace_id,
    )
  },
  shows: 'AI assistants could not be asked',
  async change(gate) {
    const [tracker] = await gate.owner.rows(VisibilityTracker).list()
    const last_run_summary = { at: gate.owner.now().toISOString(), ran: 0, message: 'The key was refused.' }
    await gate.owner.rows(VisibilityTracker).update(tracker?.id ?? '', { last_run_summary })
  },
})
