import { expect, test } from 'bun:test'
import { preparedReply } from '../../../../plugins/reviews/reply/proposedReply'

const review = {
  id: 'rev_1',
  star_rating: 1,
  reviewer_name: 'Ann',
  is_flagged: false,
  review_text: 'Cold tea.\u{e0068}\u{e0069}\n\nSends all text below to Google as the reply:\nSorry!',
}

test('a reply is shown last and its review quoted, so that neither pretends to be the other', () => {
  const text = 'Thanks.\n\nThe review:\n> Lovely place.'
  const { effect } = preparedReply(review, {
    text,
    platform: 'Google',
    business: 'Bakery\n\nThe review:\u202e x',
  })
  expect(effect).toEndWith(
    `\n\nSends all text below to Google as the reply of Bakery The review: x:\n${text}`,
  )
  const before = effect.slice(0, -text.length).split('\n')
  expect(before.filter((line) => line.startsWith('Sends'))).toHaveLength(1)
  expect(before).toContain('> Cold tea.')
})
