import type { EmptyReason } from '../sums/emptiness'

/** Why the page has no figures, and what to do. */
export interface EmptyWords {
  readonly why: string
  readonly what: string
}

/** The words for each reason. */
export const emptyWords: Readonly<Record<EmptyReason, EmptyWords>> = {
  no_tracker: {
    why: 'No tracker asks AI assistants about this business yet.',
    what: 'An owner sets it up, or an agent calls setupVisibilityTracking. Renown suggests questions and says what they cost before it asks.',
  },
  engine_not_tracked: {
    why: 'No tracker asks this assistant.',
    what: 'Remove the filter, or add the assistant to the tracker.',
  },
  country_not_tracked: {
    why: 'No tracker asks from this country.',
    what: 'Remove the filter, or add the country to the tracker.',
  },
  not_asked_yet: {
    why: 'The tracker has not asked anything yet.',
    what: 'The first answers come within a day. If none come, check that an assistant is set up: see “By assistant” in AI visibility.',
  },
  paused: {
    why: 'The tracker is paused, or all of its prompts are.',
    what: 'Resume it to get new answers, or choose an earlier period.',
  },
  not_judged: {
    why: 'The answers are in a language whose verdicts are not measured.',
    what: 'Read them one by one. Renown makes no rates of them.',
  },
  no_answers_in_period: {
    why: 'There are no answers in this period.',
    what: 'Choose a longer period. If questions failed, “How sure, at what cost” in AI visibility says why.',
  },
}
