import type { Messages } from 'renown/pages'

export default {
  nav: 'Webhooks',
} as const satisfies Messages
