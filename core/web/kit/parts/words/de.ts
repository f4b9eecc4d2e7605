import type { TranslationOf } from '../../../../contracts/words'
import type english from './en'

export default {
  never: 'nie',
  justNow: 'gerade eben',
  pastMinutes: 'vor {count} Min.',
  pastHours: 'vor {count} Std.',
  pastDays: { one: 'vor {count} Tag', other: 'vor {count} Tagen' },
  nextMinutes: 'in {count} Min.',
  nextHours: 'in {count} Std.',
  nextDays: { one: 'in {count} Tag', other: 'in {count} Tagen' },
  errorTitle: 'Fehler: {title}',
  notUpdated: 'Diese Seite konnte nicht aktualisiert werden',
  dataOf: 'Stand der Daten: {time}.',
  retry: 'Erneut versuchen',
  retrying: 'Neuer Versuch …',
  liveStopped: 'Live-Aktualisierung unterbrochen',
  reconnecting: 'Verbindung wird wiederhergestellt …',
  liveBack: 'Die Live-Aktualisierung läuft wieder',
  undo: 'Rückgängig',
  undoWhat: 'Rückgängig machen: {what}',
  shortcuts: 'Tastenkürzel',
  selected: 'Ausgewählt',
  backToList: 'Zurück zur Liste',
  chooseEntry: 'Wählen Sie einen Eintrag aus, um ihn hier zu sehen.',
  choose: 'Auswählen',
} satisfies TranslationOf<typeof english>
