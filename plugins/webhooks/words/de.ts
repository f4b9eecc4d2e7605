import type { TranslationOf } from 'renown'
import type english from './en'

export default {
  nav: 'Webhooks',
} satisfies TranslationOf<typeof english>
