import type { TranslationOf } from 'renown/pages'
import type english from './en'

export default {
  nav: 'Bewertungen',
  setup: 'Bewertungsquelle verbinden',
  stars: { one: '{count} Stern', other: '{count} Sterne' },
  noStars: 'Ohne Sterne',
  ratingFrom: '{rating} von {name}',
  anonymous: 'Anonym',
  kindReviews: 'Bewertungen',
  waiting: 'Wartet',
  answer: 'Beantworten',
  kindDrafts: 'Entwürfe',
  draft: 'Entwurf',
  draftOfReply: 'Entwurf einer Antwort:',
  edit: 'Bearbeiten',
  sendReply: 'Antwort senden',
  draftChanged: 'Der Entwurf hat sich geändert, seit Sie ihn geöffnet haben. Prüfen Sie ihn noch einmal.',
  kindDoubts: 'Zweifelsfälle',
  inDoubt: 'Zweifelhaft',
  textsInDoubt: 'Die Texte von {name} sind zweifelhaft',
  repliesInDoubt: 'Die Antworten von {name} sind zweifelhaft',
  openLocation: 'Standort öffnen',
} satisfies TranslationOf<typeof english>
