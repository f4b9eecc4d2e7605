import { isPassing, isServiceFault, type OwnerContext } from 'renown'
import type { Check, SelfCheck } from 'renown/sources'
import { visibilitySettings } from '../settings'
import { costLimitOf } from './ask-engine'
import { engineId, type VisibilityEngine, visibilityEngine } from './engine'
import { modelState } from './model-end'

/**
 * Reports which AI engines can be asked, what the others need, and which models end soon, according to each
 * engine's own list.
 */
export const engineCheck: SelfCheck = {
  name: 'ai-engines',
  async run(ctx, signal) {
    const engines = ctx.extensions(visibilityEngine).filter(({ provider }) => provider !== 'recorded')
    const ready = engines.filter((engine) => engine.needs(ctx).length === 0)
    const listed = ready.flatMap((engine) => (engine.models ? [{ engine, models: engine.models }] : []))
    const models = listed.map(({ engine, models }) => modelCheck(ctx, engine, () => models(ctx, signal)))
    const prices = await Promise.all(ready.map((engine) => priceCheck(ctx, engine)))
    return [accessCheck(ctx, engines, ready), ...prices.flat(), ...(await Promise.all(models))]
  },
}

const nameOf = (engine: VisibilityEngine) =>
  `${engineId(engine)}${engine.provider === 'direct' ? '' : ` by ${engine.provider}`}`

/** An installation without AI engines is valid. */
function accessCheck(
  ctx: OwnerContext,
  engines: readonly VisibilityEngine[],
  ready: readonly VisibilityEngine[],
): Check {
  const missing = engines
    .filter((engine) => !ready.includes(engine))
    .map((engine) => `${nameOf(engine)} (${engine.needs(ctx).join(', ')})`)
  const can = ready.length === 0 ? 'none is set up' : `set up: ${ready.map(nameOf).join(', ')}`
  const found = missing.length === 0 ? can : `${can}; unavailable: ${missing.join(', ')}`
  return { name: 'AI engines', status: 'ok', found }
}

/** Budgets count an answer without a known price as the dearest one, so that they end earlier than they have to. */
async function priceCheck(ctx: OwnerContext, engine: VisibilityEngine): Promise<Check[]> {
  const searchesMax = visibilitySettings.of(ctx).VISIBILITY_SEARCHES_PER_ANSWER
  const { usd, because } = await costLimitOf(ctx, engine, { searchesMax })
  if (because === undefined) return []
  const mend =
    usd === null
      ? 'Trackers with a budget do not ask it. Update its plugin, or remove the budget.'
      : 'Set the price, so that budgets count what answers cost.'
  return [{ name: `Price of ${nameOf(engine)}`, status: 'warn', found: because, mend }]
}

async function modelCheck(
  ctx: OwnerContext,
  engine: VisibilityEngine,
  read: () => ReturnType<NonNullable<VisibilityEngine['models']>>,
): Promise<Check> {
  const name = `AI engine ${nameOf(engine)}`
  const id = engine.model(ctx)
  const setting = engine.modelSetting ?? 'its model'
  const mend = `Set ${setting} to another model. Its answers begin a new series: rates before and after are not comparable.`
  try {
    const models = await read()
    const state = modelState(models, id, ctx.now())
    if (state.kind === 'unknown')
      return { name, status: 'warn', found: `${id} is not among its ${models.length} models`, mend }
    if (state.kind === 'retired') return { name, status: 'fail', found: `${id} has ended`, mend }
    if (state.kind !== 'ending') return { name, status: 'ok', found: `${id}, no end announced` }
    const { endsOn, days, isSoon } = state
    const found = `${id} ends on ${endsOn}${days >= 0 ? `, in ${days} days` : ', which is past'}`
    return isSoon ? { name, status: 'warn', found, mend } : { name, status: 'ok', found }
  } catch (error) {
    if (!isServiceFault(error)) throw error
    const isRefused = !isPassing(error)
    const mend = isRefused ? 'Check its key and address in the settings.' : 'Run doctor again later.'
    return { name, status: isRefused ? 'fail' : 'warn', found: error.message, mend }
  }
}
