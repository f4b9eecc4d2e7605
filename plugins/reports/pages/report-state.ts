import type { ListCell } from 'renown/pages'

interface Stated {
  readonly status: 'queued' | 'rendering' | 'completed' | 'failed'
  readonly error: string | null
}

const states = {
  queued: { state: 'waiting', tone: 'plain' },
  rendering: { state: 'being made', tone: 'plain' },
  completed: { state: 'completed', tone: 'good' },
  failed: { state: 'failed', tone: 'bad' },
} as const

/** The state of a report in words, and why it failed. */
export const stateCell = ({ status, error }: Stated): ListCell =>
  error === null ? states[status] : [states[status], ' ', { quiet: error }]
