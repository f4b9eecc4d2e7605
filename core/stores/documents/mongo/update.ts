import { mongoPath } from '../../../query/to-mongo'
import type { Patch } from '../port'
import type { Codec } from './codec'

type Values = Record<string, unknown>

/** Returns a patch for MongoDB: operators, or a pipeline if it needs the server's clock. */
export function updateOf(patch: Patch, codec: Codec): Values | Values[] {
  return patch.setNow && Object.keys(patch.setNow).length > 0
    ? pipelineOf(patch, codec)
    : operatorsOf(patch, codec)
}

function operatorsOf(patch: Patch, codec: Codec): Values {
  const stored = ([path, value]: readonly [string, unknown]) =>
    [mongoPath(path), codec.encodeAt(path, value)] as const
  const update: Values = {
    $set: each(patch.set, stored),
    $unset: Object.fromEntries((patch.unset ?? []).map((path) => [path, ''])),
    $inc: { ...patch.inc },
    $min: each(patch.min, stored),
    $max: each(patch.max, stored),
    $push: each(patch.push, ([path, { values, cap }]) => [
      path,
      { $each: codec.encodeAt(path, values), ...(cap === undefined ? {} : { $slice: -cap }) },
    ]),
    $addToSet: each(patch.addToSet, ([path, values]) => [path, { $each: codec.encodeAt(path, values) }]),
    $pull: each(patch.pull, ([path, values]) => [path, { $in: codec.encodeAt(path, values) }]),
    $setOnInsert: each(onInsert(patch), stored),
  }
  return Object.fromEntries(
    Object.entries(update).filter(([, part]) => Object.keys(part as Values).length > 0),
  )
}

/** Returns a patch as aggregation expressions, which can use the server's time. */
function pipelineOf(patch: Patch, codec: Codec): Values[] {
  const literal = (path: string, value: unknown) => ({ $literal: codec.encodeAt(path, value) })
  const list = (path: string) => ({ $ifNull: [`$${path}`, []] })
  const missing = (path: string) => ({ $eq: [{ $type: `$${path}` }, 'missing'] })
  const set: Values = {
    // Every stored document has a creation date, so a document without one is being inserted.
    ...each(onInsert(patch), ([path, value]) => {
      const name = mongoPath(path)
      return [name, { $cond: [missing('created_date'), literal(path, value), `$${name}`] }]
    }),
    ...each(patch.set, ([path, value]) => [path, literal(path, value)]),
    ...each(patch.setNow, ([path, milliseconds]) => [path, { $add: ['$$NOW', milliseconds] }]),
    ...each(patch.inc, ([path, by]) => [path, { $add: [{ $cond: [missing(path), 0, `$${path}`] }, by] }]),
    ...each(patch.min, ([path, value]) => [
      path,
      {
        $cond: [
          { $or: [missing(path), { $lt: [literal(path, value), `$${path}`] }] },
          literal(path, value),
          `$${path}`,
        ],
      },
    ]),
    ...each(patch.max, ([path, value]) => [
      path,
      {
        $cond: [
          { $or: [missing(path), { $gt: [literal(path, value), `$${path}`] }] },
          literal(path, value),
          `$${path}`,
        ],
      },
    ]),
    ...each(patch.push, ([path, { values, cap }]) => {
      const joined = { $concatArrays: [list(path), literal(path, values)] }
      return [path, cap === undefined ? joined : { $slice: [joined, -cap] }]
    }),
    ...each(patch.addToSet, ([path, values]) => {
      const fresh = {
        input: literal(path, [...new Set(values)]),
        cond: { $not: [{ $in: ['$$this', list(path)] }] },
      }
      return [path, { $concatArrays: [list(path), { $filter: fresh }] }]
    }),
    ...each(patch.pull, ([path, values]) => {
      const kept = { input: list(path), cond: { $not: [{ $in: ['$$this', literal(path, values)] }] } }
      return [path, { $cond: [missing(path), '$$REMOVE', { $filter: kept }] }]
    }),
  }
  return [{ $set: set }, ...(patch.unset?.length ? [{ $unset: [...patch.unset] }] : [])]
}

/** Leaves out fields that are set anyway, because MongoDB refuses to set them on insert too. */
function onInsert(patch: Patch): Values {
  const others = [patch.set, patch.inc, patch.min, patch.max, patch.push, patch.addToSet, patch.setNow]
  const taken = new Set(others.flatMap((part) => Object.keys(part ?? {})))
  return Object.fromEntries(Object.entries(patch.setOnInsert ?? {}).filter(([path]) => !taken.has(path)))
}

function each<T>(
  part: Readonly<Record<string, T>> | undefined,
  make: (entry: readonly [string, T]) => readonly [string, unknown],
): Values {
  return Object.fromEntries(Object.entries(part ?? {}).map(make))
}
