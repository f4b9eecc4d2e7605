import { defineList, definePage } from 'renown/pages'
import { markReview } from '../acts/review-acts'
import { originalOf } from '../analysis/translation'
import { Review } from '../records/Review'
import { reviewWords } from '../words'
import { type ListedReview, listReviews } from './listReviews'
import { loadReview } from './loadReview'
import { countWaiting, loadReviews, type ReviewsOwn } from './loadReviews'
import { reviewFilters, wrongFilters } from './review-filters'
import { reviewsPath } from './review-forms'
import { aroundReviews, lineOf, stateOf } from './review-lines'
import { reviewActions, reviewNotices } from './reviewActions'
import { reviewsStyle } from './reviews-style'

const marked = (state: 'read' | 'unread') => () => ({ state })

/** The page for reading and answering reviews. */
export const reviewsPage = definePage<ReviewsOwn>({
  path: reviewsPath,
  title: 'Reviews',
  nav: { label: reviewWords('nav'), order: 20, icon: 'star', onPhones: true, count: countWaiting },
  module: new URL('./ReviewsPage.tsx', import.meta.url),
  list: defineList({
    rows: 'reviews',
    perPage: 50,
    filters: reviewFilters,
    check: wrongFilters,
    source: (ctx, asked) => ({
      after: ({ after, limit, isWhole }) => listReviews(ctx, { ...asked, after, all: isWhole }, limit),
    }),
    more: aroundReviews,
    line: lineOf,
    columns: (_, around) => [
      { name: 'id', value: ({ id }: ListedReview) => id },
      { name: 'written_at', type: 'instant', value: (row) => row.review_created_at ?? null },
      { name: 'platform', value: (row) => around.platformOf(row) },
      { name: 'location', value: (row) => around.locationOf(row) },
      { name: 'stars', type: 'number', value: (row) => row.star_rating ?? null },
      { name: 'by', value: (row) => row.reviewer_name ?? null },
      { name: 'language', value: (row) => row.review_language ?? null },
      { name: 'state', value: stateOf },
      { name: 'text', value: (row) => originalOf(row.review_text) },
    ],
    beside: { param: 'review', load: loadReview },
    several: {
      called: ['review', 'reviews'],
      seen: ({ is_read }) => (is_read ? 'read' : 'unread'),
      acts: {
        read: {
          act: markReview,
          words: 'Mark as read',
          did: 'marked as read',
          key: 'e',
          given: marked('read'),
          undo: { act: markReview, given: (seen) => ({ state: seen }) },
        },
        unread: {
          act: markReview,
          words: 'Mark as unread',
          did: 'marked as unread',
          isFor: ({ state }) => state !== 'unread',
          given: marked('unread'),
          undo: { act: markReview, given: (seen) => ({ state: seen }) },
        },
      },
    },
    empty: ({ needs }, { isFiltered }) =>
      needs === '1'
        ? {
            text: 'All done: no review waits for a reply here.',
            link: { href: reviewsPath, words: 'Show all reviews' },
          }
        : isFiltered
          ? 'No review matches these filters.'
          : 'No reviews yet.',
    hasAny: async (ctx) => (await ctx.rows(Review).list({ limit: 1, fields: ['source'] })).length > 0,
  }),
  load: loadReviews,
  actions: reviewActions,
  notices: reviewNotices,
  style: reviewsStyle,
})
