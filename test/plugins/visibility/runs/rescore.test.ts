import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext, Row } from 'renown'
import type { Task } from '../../../../core/contracts/queue'
import { Job } from '../../../../core/jobs/Job'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { detectionVersion } from '../../../../plugins/visibility/detection/judge-answer'
import { getAnswer } from '../../../../plugins/visibility/operations/getAnswer'
import { getShareOfVoice } from '../../../../plugins/visibility/operations/getShareOfVoice'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilityScore } from '../../../../plugins/visibility/records/VisibilityScore'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { rescoreTracker } from '../../../../plugins/visibility/runs/rescore'
import { queueRescoring, rescoreAnswers } from '../../../../plugins/visibility/runs/rescoreAnswers'
import { type RoundsWorld, roundsWorld } from '../support/rounds'

type Run = Row<typeof VisibilityRun>
let world: RoundsWorld
let tracker_id = ''
beforeEach(async () => {
  world = await roundsWorld()
  tracker_id = await world.tracker()
})
afterEach(() => world.stop())

let made = 0
/** A run as an older version of the detection left it. */
const run = (answer_text: string, more: Partial<Run> = {}) =>
  world.owner.rows(VisibilityRun).insert({
    workspace_id: world.workspace_id,
    tracker_id,
    prompt_id: 'vpr_1',
    location_id: 'loc_1',
    engine: 'chatgpt',
    provider: 'direct',
    access: 'api',
    country: 'GB',
    status: 'ok',
    started_at: `2026-03-10T12:00:00.${String(made++).padStart(3, '0')}Z`,
    search_queries: [],
    citations: [],
    answer_text,
    brand_mentioned: answer_text.includes('Acme'),
    brand_cited: false,
    competitor_mentions: [],
    definition_version: 'visibility@1',
    batch_id: 'b',
    ...more,
  })
const runs = () =>
  world.owner.rows(VisibilityRun).list({ limit: 1_000, sort: [{ field: 'started_at', direction: 'asc' }] })
const scores = () => world.owner.rows(VisibilityScore).list({ limit: 1_000 })
const rescore = async (ctx: OwnerContext = world.owner) => rescoreTracker(ctx, await world.read(tracker_id))
const change = (changes: Partial<Row<typeof VisibilityTracker>>) =>
  world.owner.rows(VisibilityTracker).update(tracker_id, changes)

describe('scoring stored answers again', () => {
  test('replaces scores of an older detection, and keeps each with its version', async () => {
    const old = await run('I have no information about Acme.')
    await run('Beta is the best choice.', { brand_mentioned: false })
    expect(await rescore()).toEqual({ answers: 2, changed: 2, without_text: 0 })
    const [first, second] = await runs()
    expect(first).toMatchObject({
      brand_mentioned: false,
      stance: 'unknown_to_engine',
      definition_version: detectionVersion,
    })
    expect(second).toMatchObject({
      brand_mentioned: false,
      competitor_mentions: [{ name: 'Beta', position: 1 }],
    })
    const answer = await world.bench.ask(getAnswer, { run_id: old.id }, { workspace: world.workspace_id })
    expect(answer.earlier_scores).toMatchObject([
      { definition_version: 'visibility@1', brand_mentioned: true, competitor_mentions: [] },
    ])
  })

  test('changes nothing when it is repeated', async () => {
    await run('Acme and Beta are well known.', { stance: 'recommended', brand_position: 3 })
    await run('Nobody.')
    await rescore()
    const before = await runs()
    const kept = await scores()
    expect(before[0]).not.toHaveProperty('brand_position', 3)
    world.bench.now = new Date('2026-05-01T00:00:00.000Z')
    expect(await rescore()).toEqual({ answers: 2, changed: 0, without_text: 0 })
    expect([await runs(), await scores()]).toEqual([before, kept])
  })

  test('gives the scores that a new answer gets, also for citations of a new domain', async () => {
    const source = {
      url: 'https://shop.acme.example/a',
      domain: 'shop.acme.example',
      is_own: false,
      cited: true,
    }
    await run('Acme.', { citations: [source] })
    await rescore()
    expect((await runs())[0]).toMatchObject({ brand_cited: true, citations: [{ is_own: true }] })
    await change({ brand_domain: 'other.example' })
    await rescore()
    expect((await runs())[0]).toMatchObject({ brand_cited: false, citations: [{ is_own: false }] })
  })

  test('finds a competitor in the answers of before it was tracked', async () => {
    await run('Gamma and Acme.')
    await rescore()
    const shareOf = async (wanted: string) => {
      const { voices } = await world.bench.ask(
        getShareOfVoice,
        { tracker_id },
        { workspace: world.workspace_id },
      )
      return voices.find(({ name }) => name === wanted)?.share_of_voice.k
    }
    expect(await shareOf('Gamma')).toBeUndefined()
    await change({ competitors: [{ name: 'Beta' }, { name: 'Gamma' }] })
    expect(await shareOf('Gamma')).toBe(0)
    expect((await rescore()).changed).toBe(1)
    expect(await shareOf('Gamma')).toBe(1)
  })

  test('comes back to the same scores when names come back, and stores each earlier score once', async () => {
    await run('Acme and Beta.')
    await rescore()
    const first = (await runs())[0]
    for (let turn = 0; turn < 3; turn++) {
      await change({ brand_aliases: ['Beta'], competitors: [] })
      expect((await rescore()).changed).toBe(1)
      await change({ brand_aliases: [], competitors: [{ name: 'Beta' }] })
      expect((await rescore()).changed).toBe(1)
    }
    const { updated_date: _, ...last } = (await runs())[0] as Run
    const { updated_date: __, ...wanted } = first as Run
    expect(last).toEqual(wanted)
    // The score of visibility@1, and one for each of both sets of names.
    expect(await scores()).toHaveLength(3)
  })

  test('leaves runs without an answer or a text as they are', async () => {
    await run('Acme', { status: 'error', error: 'cut' })
    await world.owner.rows(VisibilityRun).update((await run('Acme')).id, { answer_text: undefined })
    const before = await runs()
    expect(await rescore()).toEqual({ answers: 0, changed: 0, without_text: 1 })
    expect([await runs(), await scores()]).toEqual([before, []])
  })

  test('loses nothing when it is killed between the two writes', async () => {
    await run('I have no information about Acme.')
    const { owner } = world
    const broken: OwnerContext = {
      ...owner,
      rows: ((entity: never) => {
        const rows = owner.rows(entity)
        return entity === (VisibilityRun as unknown)
          ? { ...rows, update: () => Promise.reject(new Error('killed')) }
          : rows
      }) as OwnerContext['rows'],
    }
    await expect(rescore(broken)).rejects.toThrow('killed')
    expect([(await scores()).length, (await runs())[0]?.brand_mentioned]).toEqual([1, true])
    expect((await rescore()).changed).toBe(1)
    expect([(await scores()).length, (await runs())[0]?.brand_mentioned]).toEqual([1, false])
  })
})

describe('the queue', () => {
  const queued = async () =>
    (await world.owner.rows(Job).list()).filter(({ queue }) => queue === 'visibility-rescore')
  const queue = () => queueRescoring.run(world.owner, new AbortController().signal)
  const taskOf = (more: Partial<Task> = {}): Task => ({
    id: 'job_1',
    workspace_id: world.workspace_id,
    attempt: 1,
    signal: new AbortController().signal,
    saved: {},
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
    ...more,
  })

  test('gets a tracker whose answers were scored by other rules or names, once', async () => {
    await run('Acme')
    await queue()
    await queue()
    expect((await queued()).map(({ payload }) => payload)).toEqual([{ tracker_id }])
    await rescoreAnswers.run(world.owner, { tracker_id }, taskOf())
    await world.owner.rows(Job).removeWhere({ op: 'eq', field: 'queue', value: 'visibility-rescore' })
    await queue()
    expect(await queued()).toEqual([])
    await change({ competitors: [] })
    await queue()
    expect(await queued()).toHaveLength(1)
  })

  test('gets no tracker without answers, and none of the demo', async () => {
    await queue()
    expect([await queued(), (await world.read(tracker_id)).scored_as]).toEqual([[], expect.any(String)])
    await change({ competitors: [] })
    await run('Acme')
    await world.bench
      .collection(Workspace)
      .updateOne({ op: 'eq', field: 'id', value: world.workspace_id }, { set: { is_demo: true } })
    await queue()
    expect(await queued()).toEqual([])
  })

  test('continues after the last page of an interrupted attempt, unless the names changed since', async () => {
    const [first, second] = [await run('Acme'), await run('Acme')].map(({ id }) => id).sort()
    let saved: Readonly<Record<string, unknown>> = {}
    const keep = async (state: Readonly<Record<string, unknown>>) => {
      saved = state
    }
    await rescoreAnswers.run(world.owner, { tracker_id }, taskOf({ save: keep }))
    expect(saved.after).toBe(second as string)
    for (const id of [first, second])
      await world.owner.rows(VisibilityRun).update(id as string, { definition_version: 'visibility@1' })
    const versions = async () =>
      new Map((await runs()).map(({ id, definition_version }) => [id, definition_version]))
    await rescoreAnswers.run(world.owner, { tracker_id }, taskOf({ saved: { ...saved, after: first } }))
    expect([(await versions()).get(first as string), (await versions()).get(second as string)]).toEqual([
      'visibility@1',
      detectionVersion,
    ])
    await rescoreAnswers.run(
      world.owner,
      { tracker_id },
      taskOf({ saved: { ...saved, scored_as: 'other names' } }),
    )
    expect((await versions()).get(first as string)).toBe(detectionVersion)
  })

  test('marks a tracker as scored only when all of its answers are', async () => {
    await run('Acme')
    await expect(
      rescoreAnswers.run(world.owner, { tracker_id }, taskOf({ signal: AbortSignal.abort() })),
    ).rejects.toThrow('stopped')
    expect((await world.read(tracker_id)).scored_as).toBeUndefined()
  })
})

describe('`visibility tracker rescore`', () => {
  const command = async (input: Record<string, unknown> = {}) =>
    (await world.bench.command('visibility tracker rescore', input)) as unknown as { trackers: object[] }

  test('tells what it did, and does nothing the second time', async () => {
    await run('I have no information about Acme.')
    expect((await command()).trackers).toMatchObject([
      { id: tracker_id, answers: 1, changed: 1, without_text: 0 },
    ])
    expect((await command({ tracker_id })).trackers).toMatchObject([{ answers: 1, changed: 0 }])
    await expect(command({ tracker_id: 'vtr_none' })).rejects.toThrow('vtr_none')
  })
})
