import type { TranslationOf } from 'renown'
import type english from './en'

export default {
  nav: 'Standorte',
  setup: 'Standort hinzufügen',
} satisfies TranslationOf<typeof english>
