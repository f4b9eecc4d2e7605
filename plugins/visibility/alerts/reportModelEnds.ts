import { hourMs, isServiceFault, type JobDeclaration, type OwnerContext, where } from 'renown'
import { formatDay } from 'renown/web'
import { engineId, type VisibilityEngine, visibilityEngine } from '../engines/engine'
import { modelState } from '../engines/model-end'
import { VisibilityTracker } from '../records/VisibilityTracker'

/** Notifies the workspaces that an engine answers for when its model ends soon: once for each model and end. */
export const reportModelEnds: JobDeclaration = {
  summary: 'Notifies people 60 days before the model of an AI assistant ends',
  everyMs: 12 * hourMs,
  async run(ctx, signal) {
    for (const engine of ctx.extensions(visibilityEngine)) {
      if (signal.aborted) return
      if (engine.provider === 'recorded' || engine.needs(ctx).length > 0) continue
      const end = await endOf(ctx, engine, signal)
      if (end) await notifyWorkspaces(ctx, engine, end, signal)
    }
  },
}

/** The end of the model that an engine is asked for. `day` is null if the engine already retired the model. */
interface End {
  readonly model: string
  readonly day: string | null
}

async function endOf(ctx: OwnerContext, engine: VisibilityEngine, signal: AbortSignal): Promise<End | null> {
  const model = engine.model(ctx)
  if (!engine.models || model === '') return null
  try {
    const state = modelState(await engine.models(ctx, signal), model, ctx.now())
    if (state.kind === 'retired') return { model, day: null }
    return state.kind === 'ending' && state.isSoon ? { model, day: state.endsOn } : null
  } catch (error) {
    // `doctor` reports an engine that cannot be reached. The next run of this task asks again.
    if (!isServiceFault(error)) throw error
    ctx.log.warn('the models of an AI assistant could not be listed', {
      engine: engine.name,
      error: error.message,
    })
    return null
  }
}

async function notifyWorkspaces(
  ctx: OwnerContext,
  engine: VisibilityEngine,
  { model, day }: End,
  signal: AbortSignal,
): Promise<void> {
  const id = engineId(engine)
  const asking = where.and(where.eq('is_active', true), where.eq('provider', engine.provider))
  const seen = new Set<string>()
  for await (const { workspace_id, engines } of ctx
    .rows(VisibilityTracker)
    .each({ where: asking, fields: ['workspace_id', 'engines'], signal })) {
    if (seen.has(workspace_id) || !engines.includes(id)) continue
    seen.add(workspace_id)
    const change = engine.modelSetting
      ? `Set ${engine.modelSetting} to another model`
      : 'Choose another model'
    await ctx.notify({
      workspace_id,
      type: 'visibility_model_end',
      severity: 'warning',
      title: `${engine.label}: the model ${model} ${day === null ? 'has ended' : `ends on ${formatDay(day)}`}`,
      body: [
        `Your trackers ask ${engine.label} for this model.`,
        `${change}${day === null ? '' : ' before that day'}, or ask the operator of Renown to do so.`,
        'Answers of another model begin a new series: rates before and after it are not comparable.',
      ].join(' '),
      once: `visibility_model_end ${engine.provider} ${id} ${model} ${day ?? 'ended'}`,
    })
  }
}
