import { describe, expect, test } from 'bun:test'
import { decideAct, personBasis, whyNotSent } from '../../../../plugins/reviews/reply/decideAct'

type Given = Parameters<typeof decideAct>
const review = {
  id: 'rev_1',
  workspace_id: 'wsp_1',
  star_rating: 5,
  reviewer_name: 'Ann',
  review_language: 'en',
  review_text: 'The scones were lovely',
}
const location = { business_name: 'Acme', country: 'GB' }
const basis = personBasis(review)
const kind = 'Thank you very much for your review.'

const decided = (act: object, standing: object | null, changes: object = {}) =>
  decideAct(
    { act: 'publish', text: kind, basis, is_approved: false, ...act } as Given[0],
    { review: { ...review, ...changes }, location, standing } as Given[1],
  )

const old = { text: 'Old words' }
const rejected = 'It names a person'

describe('to publish a reply', () => {
  test.each<[string, object, object | null, string]>([
    ['nothing stands there', {}, null, 'send'],
    ['the reply that the person saw stands there', { replaces: 'Old  words\n' }, old, 'edit'],
    ['the wanted reply stands there', {}, { text: ` ${kind}\n` }, 'nothing'],
    ['the wanted reply stands there, for another review', { basis: 'x' }, { text: kind }, 'nothing'],
    ['the wanted reply stands there escaped', { text: 'A & b' }, { text: 'A &amp;amp; b' }, 'nothing'],
    ['it is corrected', { text: 'A & b', replaces: 'A &amp; b' }, { text: 'A &amp; b' }, 'edit'],
    ['it was corrected', { text: 'A & b', replaces: 'A &amp; b' }, { text: 'A & b' }, 'nothing'],
    ['another reply was rejected', {}, { ...old, rejected }, 'edit'],
    ['another reply was rejected, not the one seen', { replaces: 'Else' }, { ...old, rejected }, 'edit'],
    ['it was approved with others and is kind', { is_approved: true }, null, 'send'],
  ])('where %s', async (_, act, standing, todo) => {
    expect(await decided(act, standing)).toEqual({ do: todo } as Awaited<ReturnType<typeof decided>>)
  })

  test.each<[string, object, object | null, string]>([
    ['the review was changed', { basis: 'x' }, null, 'The review changed'],
    ['somebody answered', {}, old, 'Somebody has answered'],
    ['the reply was changed', { replaces: 'Else' }, old, 'The reply has changed'],
    ['the reply that was seen is gone', { replaces: 'Old words' }, null, 'is no longer on the platform'],
    ['it was approved with others and promises', { is_approved: true, text: 'You get money.' }, null, 'Held'],
  ])('fails where %s', async (_, act, standing, why) => {
    expect(await decided(act, standing)).toEqual({ do: 'fail', why: expect.stringContaining(why) })
  })

  test('is rejected where the platform rejected the same words', async () => {
    expect(await decided({}, { text: kind, rejected })).toEqual({ do: 'reject', why: rejected })
  })
})

describe('to delete a reply', () => {
  const deleted = (replaces: string | undefined, standing: object | null) =>
    decided({ act: 'delete', text: undefined, replaces }, standing)

  test('does so only to the reply that the person saw', async () => {
    expect(await deleted('Old\nwords', old)).toEqual({ do: 'remove' })
    expect(await deleted('Old words', null)).toEqual({ do: 'nothing' })
    for (const seen of ['Else', undefined])
      expect(await deleted(seen, old)).toEqual({ do: 'fail', why: expect.stringContaining('has changed') })
  })
})

test('the basis is that of the stars and the words of the author', () => {
  expect(basis).toMatch(/^[0-9a-f]{24}$/)
  expect(personBasis({ ...review })).toBe(basis)
  expect(personBasis({ ...review, star_rating: 4 })).not.toBe(basis)
  expect(personBasis({ ...review, review_text: 'The scones were dry' })).not.toBe(basis)
  expect(personBasis({ star_rating: null })).toBe(personBasis({}))
})

test('an approved reply waits where the review is flagged or sensitive, or the text is not known to be safe', async () => {
  const why = (changes: object, text = kind) =>
    whyNotSent(text, { review: { ...review, ...changes }, location } as Parameters<typeof whyNotSent>[1])
  expect(await why({})).toBeNull()
  expect(await why({ is_flagged: true })).toBe('the review is flagged')
  expect(await why({ is_flagged: true, flag_reason: 'Call her' })).toBe('Call her')
  expect(await why({ review_text: 'I was in hospital after the food poisoning' })).toBeString()
  expect(await why({}, 'Thank you. You get a full refund.')).toContain('“You get”')
})
