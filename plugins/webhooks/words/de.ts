import type { TranslationOf } from 'renown/pages'
import type english from './en'

export default {
  nav: 'Webhooks',
} satisfies TranslationOf<typeof english>
