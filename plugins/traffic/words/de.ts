import type { TranslationOf } from 'renown/pages'
import type english from './en'

export default {
  navTraffic: 'KI-Traffic',
  navSites: 'Websites',
  navInstall: 'Installation',
  navNewAgents: 'Neue Agenten',
  setup: 'KI-Traffic zählen',
  kindSpoofed: 'Gefälschte Crawler',
  spoofed: 'Gefälscht',
  openTraffic: 'KI-Traffic öffnen',
  pretended: {
    one: '{count} Zugriff gab sich als KI-Crawler aus',
    other: '{count} Zugriffe gaben sich als KI-Crawler aus',
  },
  pretendedMost: {
    one: '{count} Zugriff gab sich als KI-Crawler aus, meist als {agent}',
    other: '{count} Zugriffe gaben sich als KI-Crawler aus, meist als {agent}',
  },
  outsideRanges: 'Am {day} lagen ihre Adressen außerhalb der Bereiche der Betreiber, die sie nannten.',
  usualBefore: 'Ein üblicher Tag der vier Wochen davor hatte {hits}.',
  usualBeforeDay: 'Ein üblicher Tag der vier Wochen vor dem {day} hatte {hits}.',
  blockThem: 'Sperren Sie diese Adressen, wenn sie Ihren Server überlasten.',
  kindChanges: 'Crawler-Änderungen',
  stopped: 'Ausgeblieben',
  jumped: 'Anstieg',
  silent: 'Keine Zugriffe',
  checkLog: 'Log prüfen',
  openAgent: '{agent} öffnen',
  hits: { one: '{count} Zugriff', other: '{count} Zugriffe' },
  noneCounted: 'Es wurde kein Crawler mehr gezählt',
  noneSince:
    'Seit dem {day} kam kein Zugriff mehr; ein üblicher Tag davor hatte {hits}. Prüfen Sie, ob das Log noch gesendet wird.',
  agentStopped: '{agent} kommt nicht mehr',
  agentSince:
    'Er war seit dem {day} nicht mehr da; ein üblicher Tag davor hatte {hits}. Andere Crawler kommen noch. Prüfen Sie, ob robots.txt oder eine Firewall ihn abweist.',
  agentJumped: { one: '{agent} kam {count}-mal an einem Tag', other: '{agent} kam {count}-mal an einem Tag' },
  jumpText:
    'Am {day} gab es mehr als dreimal so viele Zugriffe wie an jedem Tag der acht Wochen davor. Ein üblicher Tag hatte {hits}.',
  kindNewAgents: 'Neue Agenten',
  new: 'Neu',
  lookAt: 'Neu: {names} ansehen',
  lookAtMore: {
    one: 'Neu: {names} und {count} weiteren ansehen',
    other: 'Neu: {names} und {count} weitere ansehen',
  },
  agentHits: '{agent}: {hits} Zugriffe, {days}.',
  atLeastAtMost: 'mindestens {least}, höchstens {most}',
  onDay: 'am {day}',
  fromTo: '{start} bis {end}',
  unknownAgents:
    'Sie sehen wie Agenten aus, aber das Register kennt sie nicht. Deshalb werden sie nicht gezählt.',
  openNewAgents: 'Neue Agenten öffnen',
} satisfies TranslationOf<typeof english>
