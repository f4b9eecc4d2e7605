import type { Messages } from '../../../../contracts/words'

/** The words of the parts that pages share. Every page with a script gets them as data, so keep them few. */
export default {
  never: 'never',
  justNow: 'just now',
  pastMinutes: '{count} min ago',
  pastHours: '{count} h ago',
  pastDays: { one: '{count} day ago', other: '{count} days ago' },
  nextMinutes: 'in {count} min',
  nextHours: 'in {count} h',
  nextDays: { one: 'in {count} day', other: 'in {count} days' },
  errorTitle: 'Error: {title}',
  notUpdated: 'This page could not be updated',
  dataOf: 'Showing data of {time}.',
  retry: 'Retry',
  retrying: 'Trying again…',
  liveStopped: 'Live updates stopped',
  reconnecting: 'Reconnecting…',
  liveBack: 'Live updates are back',
  undo: 'Undo',
  undoWhat: 'Undo: {what}',
  shortcuts: 'Keyboard shortcuts',
  selected: 'Selected',
  backToList: 'Back to the list',
  chooseEntry: 'Select an entry to see it here.',
  choose: 'Choose',
} as const satisfies Messages
