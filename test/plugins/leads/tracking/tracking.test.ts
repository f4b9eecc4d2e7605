import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Row, ServiceFault, where } from 'renown'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import leads from '../../../../plugins/leads'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { SourceTarget } from '../../../../plugins/leads/records/SourceTarget'
import { type Gate, startGate } from '../../../support/harness'
import { type FindingWorld, findingWorld } from '../support/finding-world'

describe('setupMentionTracking', () => {
  let gate: Gate
  beforeEach(async () => {
    gate = await startGate({ plugins: [leads] })
  })
  afterEach(() => gate.stop())

  const location = (changes: object = {}) =>
    gate.put(BusinessLocation, {
      business_name: 'Northgate Plumbing',
      is_active: true,
      is_prospect: false,
      country: 'GB',
      auto_response_enabled: false,
      ...changes,
    })
  async function setup(body: object) {
    const answer = await gate.call('setupMentionTracking', body)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const trackers = () => gate.owner.rows(BrandTracker).list()

  test('makes an active tracker and says what a keyword probably does not mean', async () => {
    const { id } = await location()
    const { status, body } = await setup({
      location_id: id,
      keywords: [' "northgate plumbing" ', 'northgate plumbing'],
      excluded_keywords: ['job'],
      sources: ['reddit', 'hackernews'],
    })
    expect(status).toBe(200)
    expect(await trackers()).toMatchObject([
      {
        id: body.tracker_id,
        name: 'Northgate Plumbing',
        is_active: true,
        mentions_total: 0,
        keywords: ['"northgate plumbing"', 'northgate plumbing'],
        excluded_keywords: ['job'],
        sources: ['reddit', 'hackernews'],
        languages: [],
        countries: ['GB'],
      },
    ])
    expect(body.advice).toEqual([expect.stringContaining('northgate plumbing: Posts match')])
  })

  test('searches globally for a business without a physical location', async () => {
    const { id } = await location({ is_online_only: true })
    expect((await setup({ location_id: id, keywords: ['northgate'] })).body).toMatchObject({ countries: [] })
  })

  test('creates only where there is none, and sends the id of the one that is there', async () => {
    const { id } = await location()
    const body = { location_id: id, keywords: ['northgate'] }
    const answers = await Promise.all([setup(body), setup(body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [tracker, ...others] = await trackers()
    expect(others).toEqual([])
    expect((await setup(body)).body).toMatchObject({
      code: 'already_set_up',
      tracker_id: tracker?.id as string,
    })
  })

  test('writes nothing in a dry run', async () => {
    const { id } = await location()
    expect((await setup({ location_id: id, keywords: ['northgate'], dry_run: true })).status).toBe(200)
    expect(await trackers()).toEqual([])
  })

  test.each([
    ['no keyword', { keywords: [] }, '/keywords'],
    ['a keyword of spaces', { keywords: ['  '] }, '/keywords/0'],
    ['an open bracket', { keywords: ['acme', '(acme OR beta'] }, '/keywords/1'],
    ['only NOT', { keywords: ['NOT acme'] }, '/keywords/0'],
    ['a bad excluded keyword', { keywords: ['acme'], excluded_keywords: ['"open'] }, '/excluded_keywords/0'],
    ['an unknown channel', { keywords: ['acme'], sources: ['Reddit'] }, '/sources/0'],
  ])('refuses %s and names the field', async (_, body, pointer) => {
    const { id } = await location()
    const answer = await setup({ location_id: id, ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ pointer }])
    expect(await trackers()).toEqual([])
  })

  test.each([
    ['a prospect', { is_prospect: true, is_active: false }],
    ['a demo', { is_demo: true }],
  ])('refuses %s', async (_, changes) => {
    const { id } = await location(changes)
    expect((await setup({ location_id: id, keywords: ['acme'] })).status).toBe(422)
  })
})

describe('the commands of trackers', () => {
  let world: FindingWorld
  beforeEach(async () => {
    world = await findingWorld()
  })
  afterEach(() => world.stop())

  test('create, list, change, pause and resume a tracker', async () => {
    const { id: location_id } = await world.location()
    const { command } = world.bench
    const made = await command('mention tracker create', {
      location_id,
      keywords: '"acme plumbing"; acme NEAR/5 plumber',
      exclude: 'job',
      sources: 'forum, web',
      feeds: 'https://feeds.example/1',
    })
    const id = made.tracker_id as string
    expect(await command('mention tracker list', {})).toMatchObject({
      trackers: [
        {
          id,
          state: 'active',
          keywords: '"acme plumbing"; acme NEAR/5 plumber',
          excluded: 'job',
          sources: 'forum web',
        },
      ],
    })
    await command('mention tracker update', { tracker_id: id, keywords: 'acme', sources: '' })
    expect(await world.owner.rows(BrandTracker).get(id)).toMatchObject({
      keywords: ['acme'],
      sources: [],
      excluded_keywords: ['job'],
      feeds: ['https://feeds.example/1'],
    })
    expect(await command('mention tracker pause', { tracker_id: id })).toMatchObject({ state: 'paused' })
    await world.read()
    expect(world.search.asked).toEqual([])
    expect(await command('mention tracker resume', { tracker_id: id })).toMatchObject({ state: 'active' })
    await world.read()
    expect(world.search.asked).toMatchObject([{ target: 'acme' }])
  })

  test('say what a source needs and how its readings went', async () => {
    world.stream.needs = ['STREAM_KEY']
    await world.tracker(['acme'])
    world.search.read = () => ({ unread: [{ reason: 'text' }] })
    await world.read()
    expect(await world.bench.command('mention source list', {})).toMatchObject({
      sources: expect.arrayContaining([
        expect.objectContaining({ key: 'searching', state: 'ready', targets: 1, failing: 0, unread: 1 }),
        expect.objectContaining({ key: 'streaming', state: 'needs STREAM_KEY', targets: 0 }),
      ]),
    })
  })

  test('call a source ready only after a reading that succeeded', async () => {
    const stateOf = async (name: string) => {
      const { sources } = (await world.bench.command('mention source list', {})) as unknown as {
        sources: { key: string; state: string }[]
      }
      return sources.find(({ key }) => key === name)?.state
    }
    expect(await stateOf('searching')).toBe('not used')
    expect(await stateOf('inbound')).toBe('waits for posts')
    await world.tracker(['acme'])
    world.search.read = () => Promise.reject(new ServiceFault('transient', 'It is down.'))
    await world.read()
    expect([await stateOf('searching'), await stateOf('streaming')]).toEqual(['failing', 'ready'])
    await world.tracker(['beta'])
    world.search.read = ({ target }) =>
      target === 'beta' ? {} : Promise.reject(new ServiceFault('transient', 'It is down.'))
    await world.read(30)
    expect(await stateOf('searching')).toBe('partly failing')
  })

  test('show the real interval of a source whose budget is too small for its terms', async () => {
    const shown = async () => {
      const { sources } = (await world.bench.command('mention source list', {})) as unknown as {
        sources: { key: string; every_minutes: number | null; every_minutes_max: number | null }[]
      }
      const of = (name: string) => {
        const { every_minutes, every_minutes_max } = sources.find(({ key }) => key === name) ?? {}
        return [every_minutes, every_minutes_max]
      }
      return { searching: of('searching'), inbound: of('inbound') }
    }
    await world.tracker(['acme'])
    await world.read()
    const usual = 5
    expect(await shown()).toEqual({ searching: [usual, usual], inbound: [null, null] })
    const [target] = await world.owner.rows(SourceTarget).list({ where: where.eq('source', 'searching') })
    await world.owner.rows(SourceTarget).update(target?.id ?? '', { every_ms: 20 * 60_000 })
    expect((await shown()).searching).toEqual([4 * usual, 4 * usual])
    const { id: _, created_date: __, updated_date: ___, ...row } = target as Row<typeof SourceTarget>
    await world.owner.rows(SourceTarget).insert({ ...row, target: 'other' })
    expect((await shown()).searching).toEqual([usual, 4 * usual])
  })

  test('say why a source could not be read', async () => {
    await world.tracker(['acme'])
    world.search.read = () => {
      throw new ServiceFault('transient', `Refused: ${'x'.repeat(290)}\u{1f600}`)
    }
    await world.read()
    expect(await world.bench.command('mention source list', {})).toMatchObject({
      sources: expect.arrayContaining([
        expect.objectContaining({
          key: 'searching',
          failing: 1,
          error: expect.stringContaining('Refused: xxx'),
        }),
      ]),
    })
  })

  test('store keywords without invisible characters', async () => {
    const { id: location_id } = await world.location()
    await world.bench.command('mention tracker create', {
      location_id,
      keywords: '\u202e"acme\u0007 \u200bplumbing"',
    })
    const [tracker] = await world.owner.rows(BrandTracker).list()
    expect(tracker?.keywords).toEqual(['"acme plumbing"'])
  })

  test.each([
    ['a keyword of NOT alone', { keywords: 'NOT acme' }, 'keywords/0'],
    ['a feed that is no web address', { keywords: 'acme', feeds: 'ftp://x' }, 'feeds'],
    ['a feed inside a network', { keywords: 'acme', feeds: 'http://169.254.169.254/feed' }, 'feeds'],
    ['a language that is no tag', { keywords: 'acme', languages: 'de, klingon!!' }, 'languages/1'],
  ])('refuse %s', async (_, given, pointer) => {
    const { id: location_id } = await world.location()
    const refused = world.bench.command('mention tracker create', { location_id, ...given })
    await expect(refused).rejects.toMatchObject({ details: { errors: [{ pointer: `/${pointer}` }] } })
  })
})
