import type { Messages } from 'renown'

export default {
  nav: 'Locations',
  setup: 'Add a location',
} as const satisfies Messages
