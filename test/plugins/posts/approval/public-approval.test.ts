import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, where } from 'renown'
import { corePlugins } from '../../../../core/product/core-plugins'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { WhiteLabelDomain } from '../../../../core/tenancy/domains/WhiteLabelDomain'
import { Notification } from '../../../../core/tenancy/news/Notification'
import posts from '../../../../plugins/posts'
import { connectChannel } from '../../../../plugins/posts/acts/channels'
import { createPost, editPost } from '../../../../plugins/posts/acts/edit'
import { setNeedsApproval } from '../../../../plugins/posts/acts/rules'
import { publishNow, schedulePost, unschedulePost } from '../../../../plugins/posts/acts/schedule'
import { basisOf } from '../../../../plugins/posts/approval/answer'
import { askApproval, endApproval } from '../../../../plugins/posts/approval/links'
import { judgePost } from '../../../../plugins/posts/publishing/judge'
import { Post, type PostRow } from '../../../../plugins/posts/records/Post'
import { PostApproval } from '../../../../plugins/posts/records/PostApproval'
import { edgeCases } from '../../../support/edge-cases'
import { type Gate, startGate } from '../../../support/harness'

describe('an approval link', () => {
  let gate: Gate
  let location_id: string
  beforeEach(async () => {
    gate = await startGate({ plugins: [...corePlugins, posts] })
    const location = await gate.put(BusinessLocation, {
      business_name: 'Harbour Bakehouse',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    location_id = location.id
    await connectChannel(gate.owner, { location_id, platform: 'feed' })
  })
  afterEach(() => gate.stop())

  const draft = (summary = 'Fresh bread on Sunday', more: object = {}) =>
    createPost(gate.owner, {
      location_id,
      platform: 'feed',
      post_type: 'update',
      ...more,
      content: { summary, language: 'en', media: [], ...more },
    })
  const row = async (id: string) => (await gate.owner.rows(Post).get(id)) as PostRow
  const link = async (post: PostRow, days?: number) =>
    (await askApproval(gate.owner, { post_id: post.id, days })).address.slice('http://localhost:3000'.length)
  const open = (path: string) => gate.ask(path, { key: null, headers: { accept: 'text/html' } })
  const send = (path: string, fields: Record<string, string>) =>
    gate.ask(path, {
      key: null,
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    })
  const answer = async (path: string, post: PostRow, fields: Record<string, string>) =>
    send(path, { basis: basisOf(await row(post.id)), ...fields })

  test('has 12 characters, of which only the hash is stored, and opens without an account', async () => {
    const post = await draft()
    const path = await link(post)
    expect(path).toMatch(/^\/p\/post\/[\w-]{12}$/)
    const rows = await gate.owner.rows(PostApproval).list({ limit: 9 })
    const audit = await gate.owner.rows(AuditEntry).list({ limit: 99 })
    expect(JSON.stringify([rows, audit])).not.toContain(path.slice(-12))
    const page = await open(path)
    const html = await page.text()
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null])
    for (const text of ['Harbour Bakehouse', 'Fresh bread on Sunday', 'Feed', 'Not scheduled yet'])
      expect(html).toContain(text)
    expect((await row(post.id)).approval).toBe('in_review')
  })

  test('shows the post as its platform will, and its local time', async () => {
    const call_to_action = { type: 'shop', url: 'https://bakehouse.test/?a=1&b=2' }
    const media = [{ format: 'photo', source_url: 'https://pic.test/a.jpg', alt: 'A loaf' }]
    const post = await draft('News', { call_to_action, media })
    await schedulePost(gate.owner, {
      post_id: post.id,
      wall_time: '2099-07-01T09:00',
      timezone: 'Asia/Tokyo',
    })
    const html = await (await open(await link(post))).text()
    for (const text of ['Button “Shop”', 'bakehouse.test', 'A loaf', '1 Jul 2099, 09:00 GMT+9 (Asia/Tokyo)'])
      expect(html).toContain(text)
    expect(html).not.toContain('<img')
  })

  test('marks the post as approved, tells people and publishes nothing', async () => {
    const post = await draft()
    const path = await link(post)
    const done = await answer(path, post, { answer: 'approved', name: 'Ann', note: 'Lovely' })
    expect(done.status).toBe(303)
    expect(await row(post.id)).toMatchObject({
      status: 'draft',
      approval: 'approved',
      approval_note: 'Lovely',
    })
    const [stored] = await gate.owner.rows(PostApproval).list({ limit: 9 })
    expect(stored).toMatchObject({ state: 'approved', answered_by: 'Ann', note: 'Lovely' })
    const news = await gate.owner.rows(Notification).list({ limit: 9 })
    expect(news.map(({ title }) => title)).toEqual(['A post of Harbour Bakehouse for Feed was approved'])
    const actions = (await gate.owner.rows(AuditEntry).list({ limit: 99 })).map(({ action }) => action)
    expect(actions).toContain('location.post_approved')
    const html = await (await open(path)).text()
    expect(html).toContain('You approved this post')
    expect(html).not.toContain('<button')
    const again = await answer(path, post, { answer: 'rejected', note: 'No' })
    expect([again.status, (await row(post.id)).approval]).toEqual([422, 'approved'])
  })

  test('a rejection needs a reason, and keeps the post from being scheduled', async () => {
    const post = await draft()
    const path = await link(post)
    const bare = await answer(path, post, { answer: 'rejected', note: ' ', name: 'Ann' })
    const html = await bare.text()
    expect([bare.status, html.includes('Write what should change.'), html.includes('value="Ann"')]).toEqual([
      422,
      true,
      true,
    ])
    expect((await answer(path, post, { answer: 'rejected', note: 'Name the hours' })).status).toBe(303)
    expect(await row(post.id)).toMatchObject({ approval: 'rejected', approval_note: 'Name the hours' })
    await expect(publishNow(gate.owner, { post_id: post.id })).rejects.toThrow('rejected')
  })

  test('does not approve what the client did not see', async () => {
    const post = await draft()
    await schedulePost(gate.owner, { post_id: post.id, wall_time: '2099-07-01T09:00', timezone: 'UTC' })
    const path = await link(post)
    const seen = basisOf(await row(post.id))
    await schedulePost(gate.owner, {
      post_id: post.id,
      wall_time: '2099-07-02T09:00',
      timezone: 'UTC',
    }).catch(() => unschedulePost(gate.owner, post.id))
    const late = await send(path, { basis: seen, answer: 'approved' })
    expect([late.status, (await late.text()).includes('changed since you opened')]).toEqual([422, true])
    expect((await row(post.id)).approval).toBe('in_review')
  })

  test('loses its mark when the text changes, and then shows nothing of the new text', async () => {
    const post = await draft()
    const path = await link(post)
    await answer(path, post, { answer: 'approved' })
    await editPost(gate.owner, { post_id: post.id, content: { summary: 'Secret news' } })
    expect((await row(post.id)).approval).toBeUndefined()
    const html = await (await open(path)).text()
    expect([
      html.includes('This post has changed'),
      html.includes('Secret'),
      html.includes('<button'),
    ]).toEqual([true, false, false])
  })

  test('stops working when it expires, when a new one is made, and when the review ends', async () => {
    const post = await draft()
    const first = await link(post)
    const second = await link(post, 2)
    const statuses = async () => [(await open(first)).status, (await open(second)).status]
    expect(await statuses()).toEqual([404, 200])
    gate.clock.advance(2 * dayMs)
    expect(await statuses()).toEqual([404, 404])
    const third = await link(post)
    await answer(third, post, { answer: 'approved' })
    const fourth = await link(post)
    expect([(await open(third)).status, (await row(post.id)).approval]).toEqual([404, 'in_review'])
    await endApproval(gate.owner, post.id)
    expect([(await open(fourth)).status, (await row(post.id)).approval]).toEqual([404, undefined])
    await expect(endApproval(gate.owner, post.id)).rejects.toThrow('Nobody was asked')
  })

  test('works on when another post of the workspace is asked about, or no longer is', async () => {
    const post = await draft()
    const other = await draft('Cake on Monday')
    const path = await link(post)
    const otherPath = await link(other)
    const open_ = async () => [(await open(path)).status, (await open(otherPath)).status]
    expect(await open_()).toEqual([200, 200])
    await endApproval(gate.owner, other.id)
    expect(await open_()).toEqual([200, 404])
    await answer(path, post, { answer: 'approved' })
    expect([(await row(post.id)).approval, (await row(other.id)).approval]).toEqual(['approved', undefined])
  })

  test('a post that is not a draft or scheduled gets none', async () => {
    const post = await draft()
    await gate.owner.rows(Post).update(post.id, { approval: undefined })
    const sent = await gate.put(Post, { ...post, id: undefined, status: 'published' })
    await expect(link(sent as PostRow)).rejects.toThrow('published')
    await expect(link(await draft(' '))).rejects.toThrow('no text')
  })

  test('a workspace can demand it of every post, when a person schedules and right before the call', async () => {
    const post = await draft()
    const workspace_id = gate.tenant.workspaceId
    await setNeedsApproval(gate.owner, { workspace_id, needs_approval: true })
    await expect(publishNow(gate.owner, { post_id: post.id })).rejects.toThrow('only approved posts')
    await answer(await link(post), post, { answer: 'approved' })
    const scheduled = await publishNow(gate.owner, { post_id: post.id })
    expect(scheduled.status).toBe('scheduled')
    const judged = async (approval: PostRow['approval']) => {
      await gate.documents
        .collection(Post)
        .updateOne(where.eq('id', post.id), { set: { status: 'publishing', approval } })
      return judgePost(gate.owner, await row(post.id))
    }
    expect(await judged('approved')).not.toHaveProperty('kind')
    await gate.documents.collection(Post).updateOne(where.eq('id', post.id), { unset: ['approval'] })
    expect(await judgePost(gate.owner, await row(post.id))).toMatchObject({ kind: 'not_allowed' })
    await setNeedsApproval(gate.owner, { workspace_id, needs_approval: false })
    expect(await judgePost(gate.owner, await row(post.id))).not.toHaveProperty('kind')
  })

  test("is on the agency's domain, and not on another agency's", async () => {
    const post = await draft()
    const path = await link(post)
    const { agencyId: agency_id } = gate.stranger
    await gate.put(
      WhiteLabelDomain,
      { agency_id, domain: 'other.test', state: 'verified', token: 't' },
      agency_id,
    )
    const elsewhere = await gate.ask(path, {
      key: null,
      headers: { accept: 'text/html', host: 'other.test' },
    })
    expect([elsewhere.status, (await elsewhere.text()).includes('Fresh bread')]).toEqual([404, false])
  })

  test('shows texts of strangers as text', async () => {
    const texts = edgeCases.map((text) => `${text} end`.slice(0, 1_500)).filter((text) => !/\r/.test(text))
    const media = [{ format: 'photo', source_url: 'javascript:alert(1)', alt: '"><script>x</script>' }]
    for (const [place, summary] of texts.entries()) {
      const post = await draft(summary, place === 0 ? { media } : {})
      const html = await (await open(await link(post))).text()
      expect(html).not.toContain('<script')
      expect(html).not.toContain('href="javascript')
      const path = await link(post)
      await answer(path, post, { answer: 'rejected', note: summary, name: summary.slice(0, 90) })
      expect(await (await open(path)).text()).not.toContain('<script')
    }
  })
})
