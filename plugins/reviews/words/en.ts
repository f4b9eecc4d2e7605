import type { Messages } from 'renown/pages'

export default {
  nav: 'Reviews',
  setup: 'Connect a review source',
  stars: { one: '{count} star', other: '{count} stars' },
  noStars: 'No stars',
  ratingFrom: '{rating} from {name}',
  anonymous: 'Anonymous',
  kindReviews: 'Reviews',
  waiting: 'Waiting',
  answer: 'Answer',
  kindDrafts: 'Drafts',
  draft: 'Draft',
  draftOfReply: 'Draft of a reply:',
  edit: 'Edit',
  sendReply: 'Send reply',
  draftChanged: 'The draft changed since you opened it. Check it again.',
  kindDoubts: 'Doubts',
  inDoubt: 'In doubt',
  textsInDoubt: 'The texts of {name} are in doubt',
  repliesInDoubt: 'The replies of {name} are in doubt',
  openLocation: 'Open location',
} as const satisfies Messages
