import { defineStates } from 'renown'

/** Mention.status: what people did with a mention. */
export const mentionStatus = defineStates({
  entity: 'Mention',
  field: 'status',
  initial: ['new'],
  moves: {
    new: ['saved', 'dismissed', 'replied'],
    saved: ['new', 'replied'],
    replied: ['new'],
    dismissed: ['new'],
  },
  stamps: { replied: 'replied_at' },
})
