import { defineStates } from 'renown'

/**
 * Post.status. A publishing post whose worker was lost becomes `failed` and is not retried, because that could create
 * the post twice.
 */
export const postStatus = defineStates({
  entity: 'Post',
  field: 'status',
  initial: ['draft'],
  moves: {
    draft: ['scheduled', 'publishing', 'cancelled'],
    scheduled: ['publishing', 'draft', 'cancelled'],
    publishing: ['published', 'failed'],
    published: [],
    failed: ['scheduled', 'draft'],
    cancelled: [],
  },
  stamps: { published: 'published_at' },
  needs: { scheduled: ['scheduled_at'], published: ['external_post_id'], failed: ['error_message'] },
  clears: { scheduled: ['scheduled_at'], failed: ['error_message'] },
})
