import type { Messages } from 'renown/pages'

export default {
  nav: 'Locations',
  setup: 'Add a location',
} as const satisfies Messages
