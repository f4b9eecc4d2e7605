import {
  defineEntity,
  defineOperation,
  definePlugin,
  defineRate,
  field,
  type JobDeclaration,
  where,
} from 'renown'
import * as v from 'valibot'

/** What somebody wrote about an app in a store. */
export const AppReview = defineEntity({
  name: 'AppReview',
  summary: 'A review of an app in an app store',
  idPrefix: 'apr',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    location_id: field.text('Business whose app it is'),
    shop: field.oneOf(['app_store', 'google_play'], 'Store in which it was written'),
    shop_id: field.text("The store's own id of the review"),
    rating: field.integer('Stars', { min: 1, max: 5 }),
    text: field.text('What was written'),
    written_at: field.instant('When it was written'),
    reply_text: v.optional(field.text('Reply of the business')),
    is_overdue: field.flag('At least a week old, without an answer'),
  },
  searchable: ['text'],
  sortable: ['written_at', 'rating'],
  defaultSort: '-written_at',
  indexes: [{ on: ['shop', 'shop_id'], unique: true }, { on: ['is_overdue', '-written_at'] }],
})

const answered = defineRate('app_reviews.answered_share@1', 'Share of reviews with an answer')

/** Returns how many reviews were answered, with the size of the sample. */
export const getAppReviewSummary = defineOperation({
  name: 'getAppReviewSummary',
  summary: 'Number of app reviews, number of overdue ones, and the share with an answer',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ location_id: v.optional(field.text('Only apps of this business')) }),
  output: v.object({
    total: field.integer('Reviews'),
    overdue: field.integer('Reviews that wait for a week or more'),
    answered_share: answered.schema,
  }),
  async run(ctx, { location_id }) {
    const here = location_id === undefined ? where.and() : where.eq('location_id', location_id)
    const conditions = [where.and(), where.eq('is_overdue', true), where.ne('reply_text', null)]
    const counts = conditions.map((condition) => ctx.rows(AppReview).count(where.and(here, condition)))
    const [total = 0, overdue = 0, replied = 0] = await Promise.all(counts)
    return { total, overdue, answered_share: answered.of(replied, total) }
  },
})

/** Marks what nobody answered within a week. One process of an installation runs it at a time. */
const flagOverdue: JobDeclaration = {
  summary: 'Mark reviews that wait for a week',
  everyMs: 3_600_000,
  async run(ctx, signal) {
    const old = where.lte('written_at', new Date(ctx.now().getTime() - 7 * 86_400_000).toISOString())
    const late = where.and(where.eq('is_overdue', false), where.eq('reply_text', null), old)
    while (!signal.aborted && (await ctx.rows(AppReview).updateWhere(late, { is_overdue: true })));
  },
}

export default definePlugin({
  name: 'app-reviews',
  renown: '^1.0.0',
  entities: [AppReview],
  operations: [getAppReviewSummary],
  jobs: { flagOverdue },
})
