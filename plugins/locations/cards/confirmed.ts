import type { Location } from '../contract'

/** The actions that need a confirmation. */
export const confirmed = ['sign', 'rest', 'cancel'] as const
export type Confirmed = (typeof confirmed)[number]

/** Whether the state of a location allows the action. */
export const isOpen: Readonly<Record<Confirmed, (location: Location) => boolean>> = {
  sign: ({ is_prospect }) => is_prospect,
  rest: ({ is_active, trial_state }) => is_active && trial_state !== 'trialing',
  cancel: ({ trial_state }) => trial_state === 'trialing',
}
