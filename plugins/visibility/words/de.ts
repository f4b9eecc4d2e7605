import type { TranslationOf } from 'renown/pages'
import type english from './en'

export default {
  nav: 'KI-Sichtbarkeit',
  setup: 'KI-Sichtbarkeit messen',
  kind: 'KI-Sichtbarkeit',
  openTracker: 'Tracker öffnen',
  showRate: 'Quote anzeigen',
  failed: 'Fehlgeschlagen',
  notAskable: 'KI-Assistenten konnten nicht befragt werden',
  limited: 'Begrenzt',
  limitEnded: 'Ein Limit hat eine Runde der KI-Sichtbarkeit vorzeitig beendet',
  someAsked:
    'In der letzten Runde wurden {ran} von {planned} Fragen gestellt. Erhöhen Sie das Limit oder fragen Sie weniger.',
  notAsked: 'Nicht befragt',
  engineNotAsked: '{engine} wird gerade nicht befragt',
  trackers: { one: '{count} Tracker', other: '{count} Tracker' },
  triesAgain: 'Renown versucht es von selbst wieder.',
  done: 'Fertig',
  knowsEnough: 'Ein Tracker weiß für diesen Monat genug',
  knownToPoints:
    'Die Quote dieses Monats ist auf ± {points} Prozentpunkte genau bekannt. Der Tracker fragt am {day} wieder und kostet bis dahin nichts.',
  knownToRule:
    'Die Quote dieses Monats ist so genau bekannt, wie seine Regel verlangt. Der Tracker fragt am {day} wieder und kostet bis dahin nichts.',
  leftOut: 'Ausgelassen',
  seldomAnswered: '{engine} hat am {day} selten geantwortet',
  unanswered: {
    one: '{unanswered} von {count} Frage blieb ohne Antwort. Quoten lassen diesen Tag des Assistenten aus.',
    other:
      '{unanswered} von {count} Fragen blieben ohne Antwort. Quoten lassen diesen Tag des Assistenten aus.',
  },
  up: 'Gestiegen',
  down: 'Gefallen',
  namedMore: 'KI-Assistenten nennen {brand} häufiger',
  namedLess: 'KI-Assistenten nennen {brand} seltener',
  rateUp: 'Die Nennungsquote ist seit dem {day} von {before} % auf {now} % gestiegen.',
  rateDown: 'Die Nennungsquote ist seit dem {day} von {before} % auf {now} % gefallen.',
  riseIs:
    'Mit 95 % Sicherheit beträgt der Anstieg {low} bis {high} Prozentpunkte, wie oft Renown auch nachgesehen hat.',
  fallIs:
    'Mit 95 % Sicherheit beträgt der Rückgang {low} bis {high} Prozentpunkte, wie oft Renown auch nachgesehen hat.',
  compares:
    'Verglichen werden die Antworten nach dem {end} bis zum {until} mit denen vom {start} bis zum {end}.',
  inCommon: {
    one: 'Beide Zeiträume haben {count} Paar aus Frage und Assistent gemeinsam.',
    other: 'Beide Zeiträume haben {count} Paare aus Frage und Assistent gemeinsam.',
  },
} satisfies TranslationOf<typeof english>
