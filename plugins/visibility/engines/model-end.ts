import { dayMs } from 'renown'
import type { EngineModel } from './engine'

/** How many days before its end a model is reported. */
const noticeDays = 60

/** What an engine's own list says about the end of a model. */
export type ModelState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'retired' }
  | { readonly kind: 'lasting' }
  | { readonly kind: 'ending'; readonly endsOn: string; readonly days: number; readonly isSoon: boolean }

/** Returns what the list of models says about the end of one of them. */
export function modelState(models: readonly EngineModel[], id: string, now: Date): ModelState {
  const known = models.find((one) => one.id === id)
  if (!known) return { kind: 'unknown' }
  if (known.isRetired) return { kind: 'retired' }
  const { endsOn } = known
  if (endsOn === undefined) return { kind: 'lasting' }
  const days = Math.ceil((Date.parse(endsOn) - now.getTime()) / dayMs)
  return { kind: 'ending', endsOn, days, isSoon: days <= noticeDays }
}
