import type { Messages } from 'renown'

export default {
  nav: 'Webhooks',
} as const satisfies Messages
