import { field, type GroupRow } from 'renown'
import * as v from 'valibot'

/** The output field of model changes. */
export const modelChanges = v.pipe(
  v.array(
    v.object({
      tracker_id: field.code('Tracker'),
      engine: field.code('Answer engine'),
      from: field.text('Model before the change'),
      to: field.text('Model after the change'),
      at: field.instant('First answer after the change'),
    }),
  ),
  v.description(
    'Changes of a model in both periods, in order. A new model starts a new series, so change leaves out this engine of the tracker',
  ),
)

/** A change of the model that an engine was asked for. */
export interface ModelChange {
  readonly tracker_id: string
  readonly engine: string
  readonly from: string
  readonly to: string
  readonly at: string
}

/**
 * Returns the changes of models among groups by tracker, engine and model, each with its first answer. Leaves out answers
 * of unknown models. A model may be in several groups.
 */
export function modelChangesIn(groups: readonly GroupRow[]): ModelChange[] {
  const firsts = groups
    .map(({ tracker_id, engine, model_asked, first }) => ({
      tracker_id: String(tracker_id),
      engine: String(engine),
      model: String(model_asked),
      at: String(first),
    }))
    .filter(({ model }) => model !== '')
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  return [...Map.groupBy(firsts, seriesOf).values()]
    .map((own) => own.filter(({ model }, at) => own.findIndex((one) => one.model === model) === at))
    .flatMap((own) =>
      own.slice(1).map(({ tracker_id, engine, model, at }, before) => ({
        tracker_id,
        engine,
        from: own[before]?.model ?? '',
        to: model,
        at,
      })),
    )
    .sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** Returns the key of the answers of one engine to one tracker. */
export const seriesOf = ({ tracker_id, engine }: Pick<ModelChange, 'tracker_id' | 'engine'>): string =>
  JSON.stringify([tracker_id, engine])
