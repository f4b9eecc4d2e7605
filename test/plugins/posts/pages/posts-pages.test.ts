import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything, where } from 'renown'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import locations from '../../../../plugins/locations'
import posts from '../../../../plugins/posts'
import { editPost } from '../../../../plugins/posts/acts/edit'
import { schedulePost } from '../../../../plugins/posts/acts/schedule'
import { Post, type PostRow } from '../../../../plugins/posts/records/Post'
import { PostAttempt } from '../../../../plugins/posts/records/PostAttempt'
import { PostChannel } from '../../../../plugins/posts/records/PostChannel'
import { PostPlan } from '../../../../plugins/posts/records/PostPlan'
import { PostRules } from '../../../../plugins/posts/records/PostRules'
import { edgeCases } from '../../../support/edge-cases'
import { type Gate, startGate } from '../../../support/harness'
import { postFormsOf } from '../../../support/page-forms'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
let location_id: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, locations, posts] })
  const { cookie: own } = await signedIn(gate)
  cookie = own
  const place = { is_active: true, is_prospect: false, auto_response_enabled: false }
  location_id = (await gate.put(BusinessLocation, { ...place, business_name: 'Harbour Bakehouse' })).id
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [Post, PostAttempt, PostChannel, PostPlan, PostRules])
    await gate.owner.rows(entity).removeWhere(everything)
  await gate.put(PostChannel, { location_id, platform: 'feed', public_id: 'f'.repeat(32) })
})

const open = async (path: string) => {
  const answer = await gate.ask(path, { key: null, headers: { cookie } })
  const html = await answer.text()
  csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? csrf
  return { status: answer.status, html }
}
const send = async (path: string, fields: Record<string, string>) => {
  const answer = await gate.ask(path, formOf({ csrf, ...fields }, { cookie }))
  return { status: answer.status, to: answer.headers.get('location'), html: await answer.text() }
}
const row = async (id: string) => (await gate.owner.rows(Post).get(id)) as PostRow
const put = (more: object = {}, workspaceId?: string) =>
  gate.put(
    Post,
    {
      business_location_id: location_id,
      platform: 'feed',
      post_type: 'update',
      status: 'draft',
      is_active: true,
      revision: 1,
      content: { summary: 'Fresh bread', language: 'en', media: [] },
      ...more,
    },
    workspaceId,
  )
const pageOf = (id: string) => `/app/posts/post?post=${id}`
/** Sends a form of the page of a post as its person sees it. */
const act = async (post: PostRow, name: string, fields: Record<string, string> = {}) => {
  const { html } = await open(pageOf(post.id))
  const form = postFormsOf(html).find(({ action }) => action === `/app/posts/post/${name}`)
  if (!form) throw new Error(`The page has no form ${name}`)
  return send(form.action, { ...Object.fromEntries(form.hidden), ...fields })
}

describe('the calendar', () => {
  test('shows planned and published posts in their days, and the others beside it', async () => {
    await put({ status: 'scheduled', scheduled_at: '2099-03-10T09:30:00.000Z' })
    await put({ status: 'published', published_at: '2099-03-11T10:00:00.000Z', external_post_id: 'x' })
    await put({ content: { summary: 'An idea', language: 'en', media: [] } })
    await put({ status: 'failed', failure_kind: 'unknown_outcome', error_message: 'Nobody knows.' })
    await put({ status: 'failed', failure_kind: 'missed', error_message: 'Too late.' })
    for (const view of ['month', 'week', 'list']) {
      const { html } = await open(`/app/posts?view=${view}&day=2099-03-10`)
      const calendar = html.slice(
        html.indexOf('<div class="calendar'),
        html.indexOf('<div class="posts-aside'),
      )
      expect([...calendar.matchAll(/class="post-link"/g)]).toHaveLength(2)
      for (const word of ['09:30', 'Scheduled', 'Published', 'Harbour Bakehouse', 'Feed'])
        expect(calendar).toContain(word)
      for (const word of ['Needs your decision', 'Unknown', 'Missed', 'Too late.', 'Drafts', 'An idea'])
        expect(html.slice(html.indexOf('<div class="posts-aside'))).toContain(word)
    }
    const { html } = await open('/app/posts?day=2099-04-20')
    expect(html).toContain('No post is planned or published in these days.')
  })

  test('names the time zone, and says that a post is late', async () => {
    await put({ status: 'scheduled', scheduled_at: new Date(Date.now() - 1_200_000).toISOString() })
    const { html } = await open('/app/posts')
    expect(html).toContain('Times are in UTC.')
    expect(html).toContain('Late')
  })

  test('filters by location and target, and says which filters it ignores', async () => {
    await put({})
    expect((await open('/app/posts?platform=feed')).html).toContain('Fresh bread')
    expect((await open('/app/posts?platform=webhook')).html).not.toContain('Fresh bread')
    expect((await open(`/app/posts?location=${location_id}`)).html).toContain('Fresh bread')
    expect((await open('/app/posts?location=loc_other')).html).not.toContain('Fresh bread')
    expect((await open('/app/posts?view=year')).html).toContain('Some filters were ignored')
  })

  test('reads a bounded number of rows, each by an index, however many posts there are', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => ({
      workspace_id: gate.tenant.workspaceId,
      business_location_id: location_id,
      platform: 'feed',
      post_type: 'update',
      status: 'draft',
      is_active: true,
      revision: 1,
      content: { summary: `Draft ${n}`, language: 'en', media: [] },
    }))
    await gate.owner.rows(Post).insertMany(rows as never)
    const { html } = await open('/app/posts')
    expect([...html.matchAll(/class="post-link"/g)]).toHaveLength(12)
    expect(html).toContain('Only the newest are shown.')
  })
})

describe('several posts at once', () => {
  const chosenIn = (html: string) =>
    [...html.matchAll(/name="chosen" value="([^"]+)"/g)].map(([, item]) => item ?? '')
  const sendAll = async (name: string, chosen: readonly string[]) => {
    const body = new URLSearchParams([
      ['csrf', csrf],
      ['back', '/app/posts?view=list'],
      ...chosen.map((item) => ['chosen', item]),
    ] as never)
    const { body: _, ...form } = formOf({ csrf }, { cookie })
    const answer = await gate.ask(`/app/posts/${name}`, { ...form, body: body.toString() } as never)
    return { status: answer.status, html: await answer.text() }
  }

  test('are taken off the schedule, and one Undo gives each its time back', async () => {
    const times = ['2099-03-10T09:30', '2099-03-11T10:00']
    const rows: PostRow[] = []
    for (const at of times) {
      const post = await put({ content: { summary: at, language: 'en', media: [] } })
      await act(post, 'schedule', { at, timezone: 'Europe/Berlin' })
      rows.push(post)
    }
    const { html } = await open('/app/posts?view=list&day=2099-03-10')
    const chosen = chosenIn(html)
    expect(chosen).toHaveLength(2)
    expect(chosenIn((await open('/app/posts?day=2099-03-10')).html)).toEqual([])
    const done = await sendAll('several-unschedule', chosen)
    expect(done.html).toContain('2 posts taken off the schedule.')
    for (const { id } of rows) expect((await row(id)).status).toBe('draft')
    await open('/app/posts')
    const undone = await sendAll('undo-unschedule', chosen)
    expect(undone.html).toContain('Undone for 2 posts.')
    for (const [nth, { id }] of rows.entries())
      expect(await row(id)).toMatchObject({
        status: 'scheduled',
        wall_time: times[nth],
        timezone: 'Europe/Berlin',
      })
  })
})

describe('several failed posts', () => {
  test('are tried again at once, but not those whose outcome nobody knows', async () => {
    const failed = { status: 'failed', error_message: 'No.' }
    const missed = await put({ ...failed, failure_kind: 'missed' })
    await put({ ...failed, failure_kind: 'unknown_outcome' })
    const { html } = await open('/app/posts')
    const chosen = [...html.matchAll(/name="chosen" value="([^"]+)"/g)].map(([, item = '']) => item)
    expect(chosen).toHaveLength(1)
    const done = await send('/app/posts/several-retry', { chosen: chosen[0] ?? '' })
    expect(done.html).toContain('1 post queued again.')
    expect((await row(missed.id)).status).toBe('scheduled')
  })
})

describe('the page of a post', () => {
  test('schedules it in its time zone, and tells that the clocks change', async () => {
    const post = await put()
    const sent = await act(post, 'schedule', { at: '2099-03-29T02:30', timezone: 'Europe/Berlin' })
    expect([sent.status, sent.to]).toEqual([303, `${pageOf(post.id)}&done=schedule`])
    expect(await row(post.id)).toMatchObject({ status: 'scheduled', wall_time: '2099-03-29T02:30' })
    const { html } = await open(pageOf(post.id))
    for (const text of ['does not exist on 2099-03-29', 'Europe/Berlin', 'Change the time'])
      expect(html).toContain(text)
  })

  test('names the field of an error, and keeps what was typed', async () => {
    const post = await put()
    const past = await act(post, 'schedule', { at: '2001-01-01T09:00', timezone: 'UTC' })
    expect([
      past.status,
      past.html.includes('is in the past'),
      past.html.includes('2001-01-01T09:00'),
    ]).toEqual([422, true, true])
    const wrong = await act(post, 'schedule', { at: 'soon', timezone: 'UTC' })
    expect([wrong.status, wrong.html.includes('id="at-error"')]).toEqual([422, true])
    const empty = await act(post, 'edit', { text: ' ', language: 'en', link: 'nowhere' })
    expect([empty.status, empty.html.includes('id="text-error"')]).toEqual([422, true])
  })

  test('changes only the version that the person saw', async () => {
    const post = await put()
    const { html } = await open(pageOf(post.id))
    const form = postFormsOf(html).find(({ action }) => action.endsWith('/edit'))
    await editPost(gate.owner, { post_id: post.id, content: { summary: 'By Bob' } })
    const late = await send('/app/posts/post/edit', {
      ...Object.fromEntries(form?.hidden ?? []),
      text: 'By Ada',
      language: 'en',
    })
    expect([
      late.status,
      late.html.includes('changed in the meantime'),
      late.html.includes('By Ada'),
    ]).toEqual([422, true, true])
    expect((await row(post.id)).content.summary).toBe('By Bob')
  })

  test('edits every part, and an empty field removes its part', async () => {
    const media = [{ format: 'video', source_url: 'https://v.test/a.mp4' }]
    const post = await put({
      content: {
        summary: 'x',
        language: 'en',
        media,
        call_to_action: { type: 'shop', url: 'https://a.test' },
      },
    })
    const fields = {
      text: 'Sale',
      language: 'de',
      type: 'offer',
      event: 'Spring',
      starts: '2099-03-01',
      ends: '2099-03-07',
    }
    const photo = 'https://pic.test/a.jpg A loaf'
    expect(
      (await act(post, 'edit', { ...fields, coupon: 'S10', link: 'https://a.test/s', photo })).status,
    ).toBe(303)
    expect(await row(post.id)).toMatchObject({
      post_type: 'offer',
      content: {
        summary: 'Sale',
        language: 'de',
        event: { title: 'Spring', start: '2099-03-01', end: '2099-03-07' },
        offer: { coupon_code: 'S10', redeem_url: 'https://a.test/s' },
        media: [{ format: 'photo', source_url: 'https://pic.test/a.jpg', alt: 'A loaf' }, ...media],
      },
    })
    expect((await row(post.id)).content.call_to_action).toBeUndefined()
  })

  test('publishes only after a tick, unschedules, cancels and copies', async () => {
    const post = await put()
    const bare = await act(post, 'publish')
    expect([bare.status, (await row(post.id)).status]).toEqual([422, 'draft'])
    expect((await act(post, 'publish', { sure: 'yes' })).status).toBe(303)
    expect((await row(post.id)).status).toBe('scheduled')
    await act(post, 'unschedule')
    expect((await row(post.id)).status).toBe('draft')
    const copied = await act(post, 'duplicate', { platform: 'feed' })
    expect(copied.to).toMatch(/^\/app\/posts\/post\?post=pst_\w+&done=copied$/)
    const { html } = await open(copied.to ?? '')
    expect(html).toContain('This is the copy.')
    expect([(await act(post, 'cancel')).status, (await row(post.id)).status]).toEqual([422, 'draft'])
    await act(post, 'cancel', { sure: 'yes' })
    expect((await row(post.id)).status).toBe('cancelled')
  })

  test('warns of the same text on the same platform, and publishes it only on purpose', async () => {
    const other = await put({ status: 'scheduled', scheduled_at: '2099-01-01T00:00:00.000Z' })
    await editPost(gate.owner, { post_id: other.id, content: { summary: 'Twice' } })
    const post = await put({ content: { summary: 'twice ', language: 'en', media: [] } })
    expect((await open(pageOf(post.id))).html).toContain(`/app/posts/post?post=${other.id}`)
    const time = { at: '2099-02-01T09:00', timezone: 'UTC' }
    expect((await act(post, 'schedule', time)).status).toBe(422)
    expect((await act(post, 'schedule', { ...time, allow_duplicate: 'yes' })).status).toBe(303)
  })

  test('asks what nobody can prove: it is there, or publish again', async () => {
    const unknown = { status: 'failed', failure_kind: 'unknown_outcome', error_message: 'No answer.' }
    const first = await put(unknown)
    const second = await put({ ...unknown, content: { summary: 'B', language: 'en', media: [] } })
    const { html } = await open(pageOf(first.id))
    expect(html).toContain('Is this post on Feed?')
    expect(html).not.toContain('/app/posts/post/schedule')
    expect((await act(first, 'confirm', { url: 'nowhere' })).html).toContain('id="url-error"')
    await act(first, 'confirm', { url: 'https://there.test/1' })
    expect(await row(first.id)).toMatchObject({ status: 'published', external_url: 'https://there.test/1' })
    await act(second, 'again')
    expect((await row(second.id)).status).toBe('scheduled')
  })

  test('shows each attempt with what proves it', async () => {
    const post = await put({
      status: 'published',
      published_at: '2026-03-01T09:00:00.000Z',
      external_post_id: 'x',
    })
    await gate.put(PostAttempt, {
      post_id: post.id,
      location_id,
      platform: 'feed',
      revision: 1,
      key: 'k',
      request_hash: 'h',
      started_at: '2026-03-01T09:00:00.000Z',
      called_at: '2026-03-01T09:00:00.000Z',
      calls: 2,
      looks: 1,
      outcome: 'published',
      is_open: false,
      evidence: 'Found: the slug',
      external_id: 'page-7',
    })
    const { html } = await open(pageOf(post.id))
    for (const text of ['Found: the slug', 'page-7', '2 times', 'once']) expect(html).toContain(text)
    expect(html).not.toContain('/app/posts/post/edit')
  })

  test('makes an approval link and shows it once', async () => {
    const post = await put()
    const made = await act(post, 'ask-approval', { days: '3' })
    const link = /value="(http:\/\/localhost:3000\/p\/post\/[\w-]{12})"/.exec(made.html)?.[1]
    expect([made.status, link !== undefined]).toEqual([200, true])
    const again = (await open(pageOf(post.id))).html
    expect([again.includes('In review'), again.includes('/p/post/')]).toEqual([true, false])
    expect((await act(post, 'ask-approval', { days: '91' })).status).toBe(422)
    await act(post, 'end-approval')
    expect((await row(post.id)).approval).toBeUndefined()
  })

  test('shows texts of strangers as text', async () => {
    for (const text of edgeCases) {
      const content = {
        summary: `${text} end`.slice(0, 1_500),
        language: 'en',
        call_to_action: { type: 'shop', url: 'javascript:alert(1)' },
        media: [{ format: 'photo', source_url: 'javascript:alert(2)', alt: text.slice(0, 200) }],
      }
      const failed = { status: 'failed', failure_kind: 'rejected', error_message: text.slice(0, 400) }
      const post = await put({ ...failed, content, approval: 'rejected', approval_note: text })
      for (const path of [pageOf(post.id), '/app/posts']) {
        const { status, html } = await open(path)
        expect(status).toBe(200)
        expect(html).not.toMatch(/<script>alert|<img src=x|href="javascript/)
      }
      await gate.owner.rows(Post).removeWhere(where.eq('id', post.id))
    }
  })
})

describe('a new post', () => {
  const fields = { text: 'News', language: 'en' }

  test('becomes a draft for each chosen target', async () => {
    await open('/app/posts/new')
    const one = await send('/app/posts/new', { ...fields, location: location_id, platforms: 'feed' })
    expect(one.to).toMatch(/^\/app\/posts\/post\?post=pst_\w+&done=drafted$/)
    const body = new URLSearchParams({ csrf, ...fields, location: location_id })
    for (const name of ['feed', 'webhook', 'webhook']) body.append('platforms', name)
    const sent = formOf({}, { cookie })
    const answer = await gate.ask('/app/posts/new', { ...sent, body: body.toString() })
    expect(answer.headers.get('location')).toBe('/app/posts?done=drafted')
    const rows = await gate.owner.rows(Post).list({ limit: 9 })
    expect(rows.map(({ platform, status }) => `${platform} ${status}`).toSorted()).toEqual([
      'feed draft',
      'feed draft',
      'webhook draft',
    ])
  })

  test('needs a target, a text and a location of this workspace', async () => {
    await open('/app/posts/new')
    const strange = await gate.put(
      BusinessLocation,
      { business_name: 'X', is_active: true, is_prospect: false, auto_response_enabled: false },
      gate.stranger.workspaceId,
    )
    for (const [given, name] of [
      [{ ...fields, location: location_id }, 'platforms'],
      [{ ...fields, text: '', location: location_id, platforms: 'feed' }, 'text'],
      [{ ...fields, location: strange.id, platforms: 'feed' }, 'location'],
      [{ ...fields, location: location_id, platforms: 'feed', type: 'event' }, 'event'],
      [{ ...fields, location: location_id, platforms: 'feed', photo: 'a.jpg' }, 'photo'],
    ] as const) {
      const { status, html } = await send('/app/posts/new', given)
      expect([name, status, html.includes(`id="${name}-error"`)]).toEqual([name, 422, true])
    }
    expect(await gate.owner.rows(Post).count(everything)).toBe(0)
  })
})

describe('a post that its platform does not simply show', () => {
  test('says that it is held back, with the state of the platform', async () => {
    const held_since = '2026-11-20T10:00:00.000Z'
    const given = { status: 'publishing', scheduled_at: held_since, held_since, platform_state: 'pending<b>' }
    const post = await put(given)
    const { html } = await open(pageOf(post.id))
    for (const text of ['Held back', 'Feed holds this post back', 'pending&lt;b>', 'seven days'])
      expect(html).toContain(text)
    expect((await open('/app/posts?view=list&day=2026-11-20')).html).toContain('Held back')
    const inbox = (await open('/app/inbox')).html
    expect(inbox).toContain('Feed holds back a post')
  })

  test('asks a person after seven days, and says what to do', async () => {
    const post = await put({
      status: 'failed',
      failure_kind: 'held_by_platform',
      platform_state: 'pending',
      error_message: 'The platform has held it back since 2026-11-20.',
    })
    const { html } = await open(pageOf(post.id))
    for (const text of [
      'Feed still holds this post back',
      'It is there',
      'publish again',
      'since 2026-11-20',
    ])
      expect(html).toContain(text)
    expect(html).not.toContain('/app/posts/post/schedule')
    expect((await open('/app/posts')).html).toContain('Needs your decision')
    const sent = await act(post, 'confirm', { url: 'https://example.com/the-post' })
    expect([sent.status, (await row(post.id)).status]).toEqual([303, 'published'])
  })

  test('says that it is there twice, with all addresses', async () => {
    const post = await put({
      status: 'published',
      published_at: '2026-11-20T10:00:00.000Z',
      external_post_id: '1',
      external_url: 'https://social.test/1',
      duplicate_urls: ['https://social.test/2', 'id 3'],
    })
    const { html } = await open(pageOf(post.id))
    for (const text of [
      'Published twice',
      'more than once',
      'https://social.test/1',
      'https://social.test/2',
      'id 3',
    ])
      expect(html).toContain(text)
  })

  test('says that its target is in doubt, as do the calendar, the targets and the inbox, until a person confirms it', async () => {
    const why = 'The answer showed <b>something else</b>.'
    const own = where.eq('location_id', location_id)
    const in_doubt = { since: '2026-11-20T10:00:00.000Z', about: 'posts', why }
    await gate.owner.rows(PostChannel).updateWhere(own, { in_doubt, doubt_about_id: 'pst_1' })
    const post = await put()
    const pages = [pageOf(post.id), '/app/posts', '/app/posts/targets', '/app/inbox']
    for (const path of pages) {
      const { html } = await open(path)
      expect([path, html.includes('in doubt') || html.includes('In doubt')]).toEqual([path, true])
      if (path !== '/app/inbox') expect(html).toContain('&lt;b>something else&lt;/b>')
    }
    await open('/app/posts/targets')
    const sent = await send('/app/posts/targets/confirm', { location: location_id, platform: 'feed' })
    expect([sent.status, sent.to]).toEqual([303, `/app/posts/targets?location=${location_id}&done=confirmed`])
    const [channel] = await gate.owner.rows(PostChannel).list({ where: own, limit: 1 })
    expect(channel).toMatchObject({ public_id: 'f'.repeat(32) })
    expect(channel?.in_doubt).toBeUndefined()
    for (const path of pages) {
      const { html } = await open(path)
      expect([path, html.includes('something else'), html.includes('is in doubt')]).toEqual([
        path,
        false,
        false,
      ])
    }
    const again = await send('/app/posts/targets/confirm', { location: location_id, platform: 'feed' })
    expect(again.status).not.toBe(303)
  })
})

describe('the targets', () => {
  const path = '/app/posts/targets'

  test('show the feed with both addresses, renew them and switch it off', async () => {
    const { html } = await open(path)
    expect(html).toContain(`http://localhost:3000/p/feed/${'f'.repeat(32)}/rss.xml`)
    const of = { location: location_id, platform: 'feed' }
    expect((await send(`${path}/renew`, of)).to).toContain('done=renewed')
    expect((await open(path)).html).not.toContain('f'.repeat(32))
    await send(`${path}/disconnect`, of)
    expect(await gate.owner.rows(PostChannel).count(everything)).toBe(0)
  })

  test('demand an approval for this workspace', async () => {
    await open(path)
    expect((await send(`${path}/rules`, { needed: 'on' })).status).toBe(303)
    const { html } = await open(path)
    expect([html.includes('Needed'), html.includes('Publish without approval')]).toEqual([true, true])
    const post = await put()
    await expect(
      schedulePost(gate.owner, { post_id: post.id, wall_time: '2099-01-01T09:00', timezone: 'UTC' }),
    ).rejects.toThrow('only approved posts')
  })
})

test("nobody reads or changes another agency's posts", async () => {
  const strange = await put(
    { content: { summary: 'Secret', language: 'en', media: [] } },
    gate.stranger.workspaceId,
  )
  const own = await put()
  expect((await open('/app/posts')).html).not.toContain('Secret')
  expect((await open(pageOf(strange.id))).status).toBe(403)
  await open(pageOf(own.id))
  for (const name of Object.keys(posts.pages?.find(({ path }) => path.endsWith('/post'))?.actions ?? {})) {
    const fields = {
      text: 'x',
      language: 'en',
      at: '2099-01-01T09:00',
      sure: 'yes',
      platform: 'feed',
      days: '3',
      url: 'https://a.test',
    }
    const both = await send(`/app/posts/post/${name}`, { ...fields, post: strange.id, id: strange.id })
    const mixed = await send(`/app/posts/post/${name}`, { ...fields, post: own.id, id: strange.id })
    expect([name, both.status, mixed.status === 303]).toEqual([name, 403, false])
  }
  expect(await row(strange.id)).toMatchObject({ status: 'draft', content: { summary: 'Secret' } })
  const targets = { location: strange.business_location_id, platform: 'feed', needed: 'on' }
  await open('/app/posts/targets')
  const other = { ...targets, location: 'loc_other' }
  expect((await send('/app/posts/targets/disconnect', other)).status).not.toBe(303)
})
