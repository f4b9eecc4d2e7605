import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { SourcePolicy } from 'renown/leads'
import { where } from '../../../../core/contracts/where'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { SourceTerms } from '../../../../plugins/leads/records/SourceTerms'
import { policyOfMention } from '../../../../plugins/leads/sources/mention-policy'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

let world: FindingWorld
const open = async (policy: Partial<SourcePolicy> = {}) => {
  world = await findingWorld(policy)
  await world.tracker(['acme'], { sources: ['forum'] })
}
afterEach(() => world.stop())

/** Finds one mention with a lead whose contact details came from its text. */
async function found() {
  world.search.read = () => ({ posts: [post('1', 'acme, call me: 01632 960001')] })
  await world.read()
  world.search.read = () => ({})
  const [mention] = await world.mentions()
  if (!mention) throw new Error('no mention was found')
  const { id, tracker_id, location_id, workspace_id } = mention
  await world.owner.rows(Lead).insert({
    workspace_id,
    mention_id: id,
    tracker_id,
    location_id,
    intent_score: 80,
    stage: 'new',
    is_archived: false,
    phone: '01632 960001',
    first_name: 'Sam',
    notes: 'Called on Monday',
  })
}

const only = async () => (await world.mentions())[0]
const lead = async () => (await world.owner.rows(Lead).list())[0]

async function expectNoText(rule: string) {
  expect(await only()).toMatchObject({
    source_id: '1',
    url: 'https://forum.example/1',
    removal_rule: rule,
    body: '',
    excerpt: '',
    author: { handle: '' },
    matched_keywords: [],
  })
  const left = await lead()
  expect(left).toMatchObject({ notes: 'Called on Monday', stage: 'new' })
  expect(left?.phone).toBeUndefined()
  expect(left?.first_name).toBeUndefined()
}

async function expectText() {
  expect(await only()).toMatchObject({ body: 'acme, call me: 01632 960001', author: { handle: 'sam' } })
  expect(await lead()).toMatchObject({ phone: '01632 960001' })
}

describe('retention_days', () => {
  test('removes the text and the contact details when they are older, and not before', async () => {
    await open({ retention_days: 30 })
    await found()
    await world.applyPolicies(29)
    await expectText()
    await world.applyPolicies(2)
    await expectNoText('retention_days')
  })

  test('a post that was removed is not found again', async () => {
    await open({ retention_days: 30 })
    await found()
    await world.applyPolicies(31)
    world.search.read = () => ({ posts: [post('1', 'acme, call me: 01632 960001')] })
    await world.read()
    expect(await world.mentions()).toHaveLength(1)
    await expectNoText('retention_days')
  })

  test('null keeps them', async () => {
    await open()
    await found()
    await world.applyPolicies(3_000)
    await expectText()
  })
})

describe('recheck_days', () => {
  beforeEach(async () => {
    await open({ recheck_days: 30, delete_with_source: true })
  })

  test('a post that its source still shows is kept for as long again, with its new text', async () => {
    await found()
    const asked: string[][] = []
    world.search.recheck = (ids) => {
      asked.push([...ids])
      return [{ source_id: '1', state: 'found', post: post('1', 'acme, changed') }]
    }
    // Each day in the first week, then not before the terms demand it.
    for (let day = 0; day < 10; day++) await world.applyPolicies(1)
    expect(asked).toHaveLength(7)
    await world.applyPolicies(25)
    expect(asked).toHaveLength(7)
    await world.applyPolicies(1)
    expect(asked).toHaveLength(8)
    expect(await only()).toMatchObject({
      body: 'acme, changed',
      excerpt: 'acme, changed',
      body_version: 2,
      is_judged: false,
      recheck_at: '2026-05-19T12:00:00.000Z',
      keep_until: '2026-05-20T12:00:00.000Z',
    })
  })

  test('a post that its source no longer has is removed', async () => {
    await found()
    world.search.recheck = () => [{ source_id: '1', state: 'gone' }]
    await world.applyPolicies(29)
    await expectNoText('delete_with_source')
    expect(await only()).toMatchObject({ removed_at_source_at: '2026-04-13T12:00:00.000Z' })
  })

  test('an answer without the post proves nothing, until the days are over', async () => {
    await found()
    await world.applyPolicies(29)
    await expectText()
    await world.applyPolicies(1)
    await expectNoText('recheck_days')
  })

  test('a source that cannot be read deletes nothing early', async () => {
    await found()
    world.search.recheck = () => {
      throw new Error('down')
    }
    await world.applyPolicies(29)
    await expectText()
  })
})

describe('a deletion at the source', () => {
  const deleted = () => {
    world.search.read = () => ({ deleted: ['1', '2'] })
  }

  test('removes the text where the terms say so', async () => {
    await open({ delete_with_source: true })
    await found()
    deleted()
    await world.read(6)
    await expectNoText('delete_with_source')
  })

  test('removes only the words elsewhere, and undoes it when the post is there again', async () => {
    await open()
    await found()
    deleted()
    await world.read(6)
    expect(await only()).toMatchObject({
      removed_at_source_at: '2026-03-15T12:06:00.000Z',
      body: '',
      excerpt: '',
      author: { handle: 'sam' },
    })
    expect(await lead()).toMatchObject({ phone: '01632 960001', notes: 'Called on Monday' })
    world.search.read = () => ({ posts: [post('1', 'acme, call me: 01632 960001')] })
    await world.read(6)
    expect((await only())?.removed_at_source_at).toBeUndefined()
    await expectText()
    expect(await only()).toMatchObject({ body_version: 1, is_judged: false })
    expect((await only())?.edited_at).toBeUndefined()
  })
})

describe('a source whose plugin is gone', () => {
  /** Leaves the rows that remain when the plugin of the source is not loaded any more. */
  async function uninstall() {
    const { owner } = world
    const [terms] = await owner.rows(SourceTerms).list({ where: where.eq('source', 'searching') })
    await owner.rows(SourceTerms).update(terms?.id ?? '', { source: 'uninstalled' })
    const [mention] = await owner.rows(Mention).list()
    await owner.rows(Mention).update(mention?.id ?? '', { found_by: 'uninstalled' })
  }

  test('its terms still remove what is too old', async () => {
    await open({ retention_days: 30 })
    await found()
    await world.applyPolicies(0)
    await uninstall()
    await world.applyPolicies(29)
    await expectText()
    await world.applyPolicies(2)
    await expectNoText('retention_days')
  })

  test('a mention that had to be read again is removed, because nothing can read it', async () => {
    await open({ recheck_days: 30, delete_with_source: true })
    await found()
    await world.applyPolicies(0)
    await uninstall()
    await world.applyPolicies(29)
    await expectText()
    await world.applyPolicies(1)
    await expectNoText('recheck_days')
  })

  test('its terms still decide about replies and contacts', async () => {
    await open({ may_reply: 'never', may_extract_contact: false, may_link_identity: true })
    await found()
    await world.applyPolicies(0)
    await uninstall()
    const mention = await only()
    if (!mention) throw new Error('no mention')
    expect(await policyOfMention(world.owner, mention)).toMatchObject({
      may_reply: 'never',
      may_extract_contact: false,
      may_link_identity: true,
    })
    const unknown = { ...mention, found_by: 'never-seen' }
    expect(await policyOfMention(world.owner, unknown)).toMatchObject({
      may_reply: 'never',
      may_extract_contact: false,
      may_link_identity: false,
    })
  })

  test('the terms of a new version of a plugin replace the old ones', async () => {
    await open({ retention_days: 30 })
    await world.applyPolicies(0)
    const { owner } = world
    const terms = async () =>
      (await owner.rows(SourceTerms).list({ where: where.eq('source', 'searching') }))[0]
    const known = await terms()
    await owner.rows(SourceTerms).update(known?.id ?? '', { label: 'Old name' })
    await world.applyPolicies(0)
    expect(await terms()).toMatchObject({ id: known?.id as string, label: 'searching' })
  })
})

test('an author whose name may not be stored is not', async () => {
  await open({ may_store_author: false })
  world.search.read = () => ({ posts: [post('1', 'acme')] })
  await world.read()
  expect(await only()).toMatchObject({ author: { handle: '' } })
})

test.each([false, true])(
  'a deletion that one source tells removes nothing that another found (%p: with its text)',
  async (delete_with_source) => {
    world = await findingWorld({ delete_with_source })
    await world.tracker(['acme'], { sources: ['forum', 'bluesky'] })
    const skeet = post('same', 'I bought paint from acme on a rainy Tuesday', {
      channel: 'bluesky',
      url: 'https://bsky.example/same',
      author: { handle: 'kim' },
    })
    world.search.read = () => ({ posts: [post('same', 'acme, who can mend a roof?')] })
    world.stream.read = () => ({ posts: [skeet] })
    await world.read()
    world.search.read = () => ({})
    world.stream.read = () => ({ deleted: ['same'] })
    await world.read(10)
    const seen = (await world.mentions()).map(({ found_by, body, removed_at_source_at }) => [
      found_by,
      body !== '',
      removed_at_source_at !== undefined,
    ])
    expect(seen.toSorted()).toEqual([
      ['searching', true, false],
      ['streaming', false, true],
    ])
  },
)
