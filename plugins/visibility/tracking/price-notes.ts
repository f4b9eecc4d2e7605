import { type OwnerContext, refusedField } from 'renown'
import { costLimitOf } from '../engines/ask-engine'
import { findEngine, visibilityEngine } from '../engines/engine'
import { visibilitySettings } from '../settings'

/** What names the engines and reads their settings. */
export type PriceContext = Pick<OwnerContext, 'extensions' | 'settings'>

/** Why the price of an assistant is not known, for people. */
export interface PriceNote {
  readonly engine: string
  readonly label: string
  /** What is not known, what counts instead, and which setting has the price. */
  readonly why: string
  /** Whether a budget cannot be kept, because not even the largest price is known. */
  readonly isUnlimited: boolean
}

interface Asked {
  readonly engines: readonly string[]
  readonly provider: string
}

/** Returns the assistants of a tracker whose price is not known. */
export async function priceNotes(ctx: PriceContext, { engines, provider }: Asked): Promise<PriceNote[]> {
  const known = ctx.extensions(visibilityEngine)
  const searchesMax = visibilitySettings.of(ctx).VISIBILITY_SEARCHES_PER_ANSWER
  const notes = await Promise.all(
    engines.map(async (name): Promise<PriceNote[]> => {
      const engine = findEngine(known, name, provider)
      if (!engine || engine.needs(ctx).length > 0) return []
      const { usd, because } = await costLimitOf(ctx, engine, { searchesMax })
      if (because === undefined) return []
      return [{ engine: name, label: engine.label, why: because, isUnlimited: usd === null }]
    }),
  )
  return notes.flat()
}

/** Throws a Refusal if a tracker gets a budget that one of its assistants cannot keep. Returns the other notes. */
export async function requireCostLimit(
  ctx: PriceContext,
  asked: Asked & { readonly budget?: { readonly usd_per_month?: number | undefined } | undefined },
): Promise<PriceNote[]> {
  const notes = await priceNotes(ctx, asked)
  const unlimited = notes.filter((one) => one.isUnlimited)
  if (asked.budget?.usd_per_month !== undefined && unlimited.length > 0) {
    const why = unlimited.map((one) => one.why).join(' ')
    throw refusedField(
      'usd_per_month',
      `The budget cannot be kept. ${why} Leave the assistant out, or set no budget.`,
    )
  }
  return notes
}

/** Returns the notes as texts for commands and agents. */
export const warningsOf = (notes: readonly PriceNote[]): string[] =>
  notes.map(({ label, why }) => `${label}: ${why}`)
