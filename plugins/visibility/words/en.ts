import type { Messages } from 'renown/pages'

export default {
  nav: 'AI visibility',
  setup: 'Track AI visibility',
  kind: 'AI visibility',
  openTracker: 'Open the tracker',
  showRate: 'Show the rate',
  failed: 'Failed',
  notAskable: 'AI assistants could not be asked',
  limited: 'Limited',
  limitEnded: 'A limit ended a round of AI visibility early',
  someAsked: '{ran} of {planned} questions of the last round were asked. Raise the limit or ask less.',
  notAsked: 'Not asked',
  engineNotAsked: '{engine} is not asked now',
  trackers: { one: '{count} tracker', other: '{count} trackers' },
  triesAgain: 'Renown tries again by itself.',
  done: 'Done',
  knowsEnough: 'A tracker knows enough for this month',
  knownToPoints:
    'The rate of this month is known to ± {points} points. It asks again on {day}, and costs nothing until then.',
  knownToRule:
    'The rate of this month is known to its rule. It asks again on {day}, and costs nothing until then.',
  leftOut: 'Left out',
  seldomAnswered: '{engine} seldom answered on {day}',
  unanswered: {
    one: '{unanswered} of {count} question had no answer. Rates leave out this day of the assistant.',
    other: '{unanswered} of {count} questions had no answer. Rates leave out this day of the assistant.',
  },
  up: 'Up',
  down: 'Down',
  namedMore: 'AI assistants name {brand} more often',
  namedLess: 'AI assistants name {brand} less often',
  rateUp: 'The mention rate went up from {before} % to {now} % since {day}.',
  rateDown: 'The mention rate went down from {before} % to {now} % since {day}.',
  riseIs: 'With 95 % confidence, the rise is {low} to {high} points, however often Renown looked.',
  fallIs: 'With 95 % confidence, the fall is {low} to {high} points, however often Renown looked.',
  compares: 'It compares the answers after {end} and up to {until} with those from {start} to {end}.',
  inCommon: {
    one: 'Both periods have {count} pair of prompt and assistant in common.',
    other: 'Both periods have {count} pairs of prompt and assistant in common.',
  },
} as const satisfies Messages
