import enrichment from './enrichment'
import leads from './leads'
import posts from './posts'
import prospects from './prospects'
import reports from './reports'
import reviews from './reviews'
import traffic from './traffic'
import visibility from './visibility'

/** What ships in the box. */
export const builtin = [reviews, visibility, traffic, posts, reports, leads, prospects, enrichment] as const
