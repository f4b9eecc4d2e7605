import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { Post } from '../../plugins/posts/records/Post'
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
      at.propose('reviews send', { review_id: id, ...more })
    expect((await reply({})).error).toContain('The review has no draft. Give the reply as `text`.')
    expect((await reply({ text: '\u200b' })).error).toContain('/input/text')
    await locations().update(at.location_id, { google_account_id: undefined, google_location_id: undefined })
    expect((await reply()).error).toContain('Connect the account of this location at Google first')
    await locations().update(at.location_id, {
      ...{ google_account_id: 'accounts/111', google_location_id: 'locations/222' },
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
