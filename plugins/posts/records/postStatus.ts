import { defineStates } from 'renown'

/**
 * Post.status. A post whose worker was lost stays `publishing` until its target says whether it was published. It is
 * never sent again blindly, because that could publish it twice. A post that its platform holds back stays `publishing` too, for
 * at most seven days. A person moves a failed post to `published` when
 * nobody else can prove that it is there.
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
    failed: ['scheduled', 'draft', 'published'],
    cancelled: [],
  },
  stamps: { published: 'published_at' },
  needs: { scheduled: ['scheduled_at'], published: ['external_post_id'], failed: ['error_message'] },
  clears: {
    scheduled: ['scheduled_at'],
    publishing: ['scheduled_at', 'held_since'],
    failed: ['error_message', 'failure_kind', 'platform_state'],
  },
})
