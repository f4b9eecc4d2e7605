import type { TranslationOf } from 'renown/pages'
import type english from './en'

export default {
  nav: 'Standorte',
  setup: 'Standort hinzufügen',
} satisfies TranslationOf<typeof english>
