import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { Proposal } from '../../core/tenancy/proposals/Proposal'
import { Lead } from '../../plugins/leads/records/Lead'
import { confirmPublished } from '../../plugins/posts/acts/decide'
import { unschedulePost } from '../../plugins/posts/acts/schedule'
import { Post } from '../../plugins/posts/records/Post'
import { Review } from '../../plugins/reviews/records/Review'
import { approvalWorld } from '../support/approval-world'

let at: Awaited<ReturnType<typeof approvalWorld>>
beforeAll(async () => {
  at = await approvalWorld()
})
afterAll(() => at.stop())

describe('a change that cannot be made is refused at once', () => {
  const locations = () => at.owner.rows(BusinessLocation)

  test('a reply, where nobody can answer the review', async () => {
    const { id } = await at.review()
    const reply = (more: object = { text: 'Sorry.' }) =>
      at.propose('review reply', { review_id: id, ...more })
    expect((await reply({})).error).toContain('The review has no draft. Give the reply as `text`.')
    expect((await reply({ text: '\u200b' })).error).toContain('/input/text')
    await locations().update(at.location_id, { google_account_id: undefined, google_location_id: undefined })
    expect((await reply()).error).toContain('Connect the account of this location at Google first')
    await locations().update(at.location_id, {
      google_account_id: 'accounts/111',
      google_location_id: 'locations/222',
    })
    expect((await reply()).state).toBe('open')
  })

  test('a move that the stage of the lead does not allow', async () => {
    const { id: lead_id } = await at.lead({ stage: 'new' })
    const move = (more: object) => at.propose('lead move', { lead_id, ...more })
    expect((await move({ stage: 'won' })).error).toContain(
      'From new it can move to contacted, qualified, lost.',
    )
    expect((await move({ stage: 'lost' })).error).toContain('/input/lost_reason')
    expect((await move({ stage: 'contacted' })).effect).toBe('Moves the lead from new to contacted.')
  })

  test('a post that cannot be published, or at a time that cannot be', async () => {
    const { id: post_id } = await at.draft('New cakes.')
    const schedule = (time: string, timezone = 'Europe/Berlin') =>
      at.propose('post schedule', { post_id, at: time, timezone })
    for (const time of ['tomorrow', '2020-01-01T09:00', '2199-13-01T09:00']) {
      const { error } = await schedule(time)
      expect(error).toContain('/input/at')
      expect(error).not.toContain('wall_time')
    }
    // The clocks go forward, so this local time does not exist.
    expect((await schedule('2027-03-28T02:30')).effect).toContain('The post is scheduled for 03:30')
    const publish = (id = post_id) => at.propose('post publish', { post_id: id })
    await locations().update(at.location_id, { is_active: false })
    expect((await publish()).error).toContain('This location is paused')
    await locations().update(at.location_id, { is_active: true })
    const { id: long } = await at.draft('x'.repeat(201))
    expect((await publish(long)).error).toContain('takes at most 200 characters')
    await at.owner.rows(Post).update(post_id, { approval: 'in_review' })
    expect((await publish()).error).toContain('A client is still reviewing this post')
    const media = [{ format: 'photo' as const, source_url: 'https://example.com/cake.jpg', alt: 'A cake' }]
    const content = { summary: 'New cakes.', language: 'en', media }
    await at.owner.rows(Post).update(post_id, { approval: undefined, content })
    const { effect } = await publish()
    expect(effect).toContain('With this photo: https://example.com/cake.jpg A cake\nNew cakes.')
  })
})

describe('a reply', () => {
  const text = 'Sorry, Ann. Please call us.'
  const proposeReply = async (more: object = { text }) => {
    const { id } = await at.review()
    const { proposal_id, effect } = await at.propose('review reply', { review_id: id, ...more })
    return { id, proposal_id, effect: String(effect) }
  }
  const sent = () => at.world.google.replies.filter((one) => one.text === text).length

  test('goes to the platform once, as it was shown, and the agent reads when it was sent', async () => {
    const before = sent()
    const { id, proposal_id, effect } = await proposeReply()
    const html = await at.page(`/app/inbox?entry=proposals~${proposal_id}`)
    expect(html).toContain(text)
    expect(effect).toEndWith(text)
    expect(await at.inInbox(proposal_id)).toStartWith('303')
    await at.later(1)
    expect([(await at.asRead(proposal_id)).state, sent()]).toEqual(['queued', before])
    expect(await at.page(`/app/proposals?proposal=${proposal_id}`)).toContain('Queued')
    await at.world.act(id)
    expect(await at.page(`/app/proposals?proposal=${proposal_id}`)).toContain('Done')
    await at.later(1)
    expect([(await at.asRead(proposal_id)).state, sent()]).toEqual(['done', before + 1])
    expect(at.world.google.replies.at(-1)?.text).toBe(text)
  })

  test('is sent once if two people approve it at once, or the platform loses the answer', async () => {
    const before = sent()
    const { id, proposal_id } = await proposeReply()
    const answers = await Promise.all(at.people.map((who) => at.approve(proposal_id, who)))
    expect(answers.filter((one) => one.startsWith('303'))).toHaveLength(1)
    expect(answers.join(' ')).toContain('no longer open')
    at.world.google.replyFaults.push('lost')
    await expect(at.world.act(id)).rejects.toMatchObject({ kind: 'transient' })
    await at.later(1)
    expect(await at.asRead(proposal_id)).toMatchObject({
      state: 'queued',
      outcome: expect.stringContaining('tried again'),
    })
    await at.world.act(id, 2)
    await at.later(1)
    expect([(await at.rowOf(proposal_id)).state, sent()]).toEqual(['done', before + 1])
  })

  test('that the platform rejects is failed, with the reason', async () => {
    const { id, proposal_id } = await proposeReply({ text: 'Buy soup!' })
    expect(await at.approve(proposal_id)).toContain('done=queued')
    at.world.google.replyFaults.push('rejected')
    await at.world.act(id)
    await at.later(1)
    const { state, outcome } = await at.asRead(proposal_id)
    expect([state, outcome]).toEqual(['failed', expect.stringContaining('The platform rejected the reply')])
    const inbox = await at.page(`/app/inbox?entry=proposals~${proposal_id}`)
    expect(inbox).toContain('This was approved, but not done')
    expect(inbox).not.toContain('>Send reply<')
    for (const button of ['act', 'other'] as const)
      expect(await at.inInbox(proposal_id, button)).toContain('This cannot be done in the inbox')
  })

  test('is not sent if the review changed or can no longer be answered, or it was declined or expired', async () => {
    const before = at.world.google.replies.length
    const changed = await proposeReply()
    await at.owner.rows(Review).update(changed.id, { review_text: 'Cold soup, and now I am ill.' })
    expect(await at.inInbox(changed.proposal_id)).toContain('The record changed')
    const gone = await proposeReply()
    await at.owner.rows(Review).update(gone.id, { removed_at_source_at: at.world.bench.now.toISOString() })
    expect(await at.approve(gone.proposal_id)).toContain('no longer shows this review')
    const declined = await proposeReply()
    expect(await at.inInbox(declined.proposal_id, 'other')).toStartWith('303')
    expect(await at.approve(declined.proposal_id)).toContain('It is declined')
    const expired = await proposeReply()
    await at.owner
      .rows(Proposal)
      .update(expired.proposal_id, { expires_at: at.world.bench.now.toISOString() })
    expect(await at.approve(expired.proposal_id)).toContain('expired')
    await at.later(1)
    const all = [changed, gone, declined, expired]
    const states = await Promise.all(all.map(async (one) => (await at.rowOf(one.proposal_id)).state))
    expect(states.join(' ')).toBe('outdated outdated declined expired')
    for (const { id } of all) await expect(at.world.act(id)).rejects.toThrow('nobody asked for anything')
    expect(at.world.google.replies).toHaveLength(before)
  })
})

test('a lead moves once, and not if somebody moved it before', async () => {
  const { id: lead_id } = await at.lead()
  const first = await at.propose('lead move', { lead_id, stage: 'contacted' })
  const other = await at.propose('lead move', { lead_id, stage: 'qualified' })
  const answers = await Promise.all(at.people.map((who) => at.approve(first.proposal_id, who)))
  expect(answers.filter((one) => one.includes('done=made'))).toHaveLength(1)
  expect((await at.asRead(first.proposal_id)).state).toBe('done')
  expect(await at.inInbox(other.proposal_id)).toContain('Nothing was changed')
  expect((await at.asRead(other.proposal_id)).state).toBe('outdated')
  expect((await at.owner.rows(Lead).get(lead_id))?.stage).toBe('contacted')
})

describe('a post', () => {
  const shownOf = (text: string) => at.standIn.held.shown.filter((one) => one.text === text).length
  const stateOf = async (id: string) => (await at.asRead(id)).state

  test('is published once, as it was shown, and not again when it is published already', async () => {
    const text = 'Fresh rolls.'
    const { id: post_id } = await at.draft(text)
    const now = await at.propose('post publish', { post_id })
    const later = await at.propose('post schedule', { post_id, at: '2198-01-01T09:00', timezone: 'UTC' })
    expect(now.effect).toEndWith(text)
    const answers = await Promise.all(at.people.map((who) => at.approve(now.proposal_id, who)))
    expect(answers.filter((one) => one.includes('done=queued'))).toHaveLength(1)
    expect([await stateOf(now.proposal_id), shownOf(text)]).toEqual(['queued', 0])
    await at.later(1)
    expect([await stateOf(now.proposal_id), shownOf(text)]).toEqual(['done', 1])
    expect(await at.inInbox(later.proposal_id)).toContain('The post is published')
    expect([await stateOf(later.proposal_id), shownOf(text)]).toEqual(['outdated', 1])
  })

  test('whose answer is lost is unknown until a person decides, and is never sent twice', async () => {
    const text = 'New tea.'
    const { id: post_id } = await at.draft(text)
    const { proposal_id } = await at.propose('post publish', { post_id })
    await at.approve(proposal_id)
    at.standIn.held.answers = ['loses the answer']
    at.standIn.held.lie = 'unreadable'
    for (let hour = 0; hour < 30 && (await stateOf(proposal_id)) === 'queued'; hour++) await at.later(60)
    expect([await stateOf(proposal_id), shownOf(text)]).toEqual(['unknown', 1])
    const html = await at.page(`/app/proposals?proposal=${proposal_id}`)
    expect(html).toContain('A person decides that at the post')
    expect(html).not.toContain('It was not made')
    at.standIn.held.answers = ['accepts']
    at.standIn.held.lie = null
    await confirmPublished(at.owner, { post_id, url: 'https://social.test/tea' })
    await at.later(1)
    expect([await stateOf(proposal_id), shownOf(text)]).toEqual(['done', 1])
  })

  test('that is scheduled waits, and is failed if a person takes it off the schedule', async () => {
    const text = 'Holiday hours.'
    const { id: post_id } = await at.draft(text)
    const { proposal_id } = await at.propose('post schedule', { post_id, at: '2198-01-01T09:00' })
    expect(await at.approve(proposal_id)).toContain('done=queued')
    await at.later(1)
    expect(String((await at.asRead(proposal_id)).outcome)).toContain('scheduled for 2198-01-01T09:00')
    await unschedulePost(at.owner, post_id)
    await at.later(1)
    expect([await stateOf(proposal_id), shownOf(text)]).toEqual(['failed', 0])
  })
})
