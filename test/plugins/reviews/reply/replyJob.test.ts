import { expect, test } from 'bun:test'
import { openJob } from '../../../../plugins/reviews/reply/replyJob'

const ctx = { now: () => new Date('2026-03-15T12:00:00.000Z'), random: () => 0.5 } as Parameters<
  typeof openJob
>[0]
const review = { star_rating: 5, review_text: 'Lovely scones', reviewer_name: 'Ann' } as Parameters<
  ReturnType<typeof openJob>['draftFor']
>[0]

const draft = (text: string) => ({ text, judgedBy: 'rules' as const })

/** A job that has saved this, and a way to open its next attempt. */
function jobOf(first: object = {}) {
  let saved: object = first
  const open = () =>
    openJob(ctx, {
      saved,
      save: async (state: object) => {
        saved = state
      },
    } as unknown as Parameters<typeof openJob>[1])
  return { open, saved: () => saved }
}

test('the next attempt finds the draft of the same version of a review, and no draft of another version', async () => {
  const { open } = jobOf()
  await open().keepDraft(review, draft('Thank you'))
  expect(open().draftFor({ ...review })?.text).toBe('Thank you')
  for (const change of [
    { star_rating: 4 },
    { recommends: false },
    { review_text: 'Dry scones' },
    { reviewer_name: 'Bo' },
  ])
    expect(open().draftFor({ ...review, ...change } as typeof review)).toBeUndefined()
  await open().keepDraft(review, draft('Thank you again'))
  expect(open().draftFor(review)?.text).toBe('Thank you again')
  expect(open().isOwn(' Thank  you\n')).toBe(true)
  expect(open().isOwn('Thanks')).toBe(false)
})

test('the last five drafts are kept', async () => {
  const { open } = jobOf()
  for (let n = 1; n <= 7; n++) await open().keepDraft(review, draft(`text ${n}`))
  expect(open().drafts.map(({ text }) => text)).toEqual([3, 4, 5, 6, 7].map((n) => `text ${n}`))
})

test('a text of the first version is known as its own, and is the draft of no review', () => {
  const job = jobOf({ text: 'Thank you' }).open()
  expect(job.isOwn('Thank you')).toBe(true)
  expect(job.draftFor(review)).toBeUndefined()
  expect(jobOf({ drafts: [{ text: 1 }] }).open().drafts).toEqual([])
})

test('a failed attempt is saved beside the drafts, and a later draft keeps it', async () => {
  const { open, saved } = jobOf()
  await open().keepDraft(review, draft('Thank you'))
  expect(saved()).not.toHaveProperty('failed')
  expect(await open().failed(new Error('no answer'))).toBeInstanceOf(Error)
  const { failed } = saved() as { failed?: unknown }
  expect(failed).toBeDefined()
  expect(open().draftFor(review)?.text).toBe('Thank you')
  await open().keepDraft(review, draft('Thanks'))
  expect(saved()).toMatchObject({ failed: failed as object })
})

test('a draft keeps who judged it, and one of an earlier version had no second look', async () => {
  const { open, saved } = jobOf()
  await open().keepDraft(review, { text: 'Thank you', judgedBy: 'rules and second look' })
  expect(open().draftFor(review)?.judged_by).toBe('rules and second look')
  const [{ basis } = { basis: '' }] = (saved() as { drafts: { basis: string }[] }).drafts
  const earlier = jobOf({ drafts: [{ text: 'Thank you', basis }] }).open()
  expect(earlier.draftFor(review)).toEqual({ text: 'Thank you', basis })
})
