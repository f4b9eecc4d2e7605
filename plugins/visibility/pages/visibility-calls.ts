import type { AgentCall } from './ask-agent'
import type { VisibilityData } from './visibility-data'

type Asking = Pick<VisibilityData, 'filters' | 'period' | 'tracker'>

/** Returns the calls that answer the questions of the page, with its period and filters. */
export function callsOf({ filters, period, tracker }: Asking): AgentCall[] {
  const narrowed = {
    date_from: period.date_from,
    date_to: period.date_to,
    ...(filters.engine === '' ? {} : { engine: filters.engine }),
    ...(filters.country === '' ? {} : { country: filters.country }),
  }
  const of = {
    ...(tracker ? { tracker_id: tracker.id } : {}),
    ...(filters.location === '' ? {} : { location_id: filters.location }),
  }
  const who = tracker?.brand_name ?? 'us'
  return [
    {
      question: `Do AI assistants name ${who} more often than before, and how sure is that?`,
      operation: 'getVisibilitySummary',
      input: { ...of, ...narrowed },
    },
    ...(tracker
      ? [
          {
            question: `For which prompts do they not name ${who}?`,
            operation: 'getPromptPerformance',
            input: { tracker_id: tracker.id, ...narrowed, sort: 'mention_rate' },
          },
          {
            question: `Whom do they name instead of ${who}?`,
            operation: 'getShareOfVoice',
            input: { tracker_id: tracker.id, ...narrowed },
          },
        ]
      : []),
    {
      question: 'Which sources do they cite?',
      operation: 'listCitedSources',
      input: { ...of, ...narrowed },
    },
  ]
}
