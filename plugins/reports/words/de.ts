import type { TranslationOf } from 'renown/pages'
import type english from './en'

export default {
  navReports: 'Berichte',
  navBranding: 'Branding',
  kind: 'Berichte',
  makeAgain: 'Neu erstellen',
  noReport: 'Diesen Bericht gibt es in diesem Arbeitsbereich nicht.',
  failed: 'Fehlgeschlagen',
  reportFailed: 'Der Bericht ist fehlgeschlagen:',
  unknownReason: 'Grund unbekannt',
  waiting: 'Wartet',
  waitsForLook: 'Ein Bericht wartet auf Ihre Durchsicht: {report}',
  mailedOn:
    'Renown verschickt ihn am {time}. Bis dahin können Sie den Absatz bearbeiten, ihn sofort senden oder zurückhalten.',
  new: 'Neu',
  madeThis:
    'Renown hat diesen Bericht erstellt. Sehen Sie ihn durch und teilen Sie ihn, wenn Ihr Kunde ihn lesen soll.',
  report: 'Bericht',
  reportOf: '{template}, {period}',
  fromTo: '{start} bis {end}',
  removedLocation: 'Ein entfernter Standort',
  openReport: 'Bericht öffnen',
  paused: 'Pausiert',
  pausedSchedule: 'Ein Zeitplan erstellt Berichte für einen pausierten Standort: {template}',
  pausedText:
    'Renown liest für einen pausierten Standort nichts Neues, deshalb bleiben seine Berichte leer. Aktivieren Sie den Standort oder entfernen Sie den Zeitplan.',
  openSchedules: 'Zeitpläne öffnen',
} satisfies TranslationOf<typeof english>
