import { type Connection, type Model, Schema, type SchemaDefinition } from 'mongoose'
import type { AnyEntity } from '../../../contracts/entity'
import { type Field, fieldAt, fieldsOf, type Shape } from '../../../kit/fields'
import { mongoPath } from '../../../query/to-mongo'
import { indexesOf, indexName, type StoreIndex } from '../indexes'

// biome-ignore lint/suspicious/noExplicitAny: the fields are known at run time only
export type AnyModel = Model<any>

/** Returns the strict model of an entity: undeclared fields can be neither written nor queried. */
export function modelOf(connection: Connection, entity: AnyEntity): AnyModel {
  const known = connection.models[entity.name]
  if (known) return known
  const definition: Record<string, unknown> = { _id: { $type: String } }
  for (const field of fieldsOf(entity)) if (field.name !== 'id') definition[field.name] = typeOf(field)
  const schema = new Schema(definition as SchemaDefinition, {
    strict: 'throw',
    strictQuery: 'throw',
    typeKey: '$type',
    minimize: false,
    versionKey: false,
    id: false,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    suppressReservedKeysWarning: true,
  })
  return connection.model(entity.name, schema, entity.name)
}

/** The options of `createIndex`. */
export function indexSpec(entity: AnyEntity, index: StoreIndex) {
  const key = Object.fromEntries(
    index.keys.map(({ field, direction }) => [mongoPath(field), direction === 'desc' ? -1 : 1]),
  )
  const part: Record<string, unknown> = { ...index.where }
  for (const { field } of index.unique ? index.keys : []) {
    const floor = floorOf(fieldAt(entity, field))
    if (floor !== undefined && part[field] === undefined) part[field] = { $gte: floor }
  }
  return {
    key,
    options: {
      name: index.name,
      ...(index.unique ? { unique: true } : {}),
      ...(Object.keys(part).length > 0 ? { partialFilterExpression: part } : {}),
      ...(index.ttlSeconds === undefined ? {} : { expireAfterSeconds: index.ttlSeconds }),
    },
  }
}

/** Whether Renown created a stored unique index. Its name then matches its definition. */
export function isOwnUnique(stored: {
  readonly name?: string
  readonly key: object
  readonly unique?: boolean
  readonly partialFilterExpression?: object
}): boolean {
  if (!stored.unique) return false
  const keys = Object.entries(stored.key).map(([path, direction]) => ({
    field: path === '_id' ? 'id' : path,
    direction: direction === -1 ? ('desc' as const) : ('asc' as const),
  }))
  const part = Object.entries(stored.partialFilterExpression ?? {})
  const where = Object.fromEntries(part.filter(([, value]) => value === null || typeof value !== 'object'))
  return stored.name === indexName({ keys, where, unique: true })
}

/** Returns the fields of a unique index, by its name. None if the index is not declared. */
export function indexFields(entity: AnyEntity, name: string): readonly string[] {
  if (name === 'id') return ['id']
  return (
    indexesOf(entity)
      .find((index) => index.name === name)
      ?.keys.map(({ field }) => field) ?? []
  )
}

/** Returns the lowest value of a nullable field, because a unique index contains only rows that have one. */
function floorOf(field: Field | undefined): unknown {
  if (!field || !(field.nullable || field.optional)) return undefined
  if (field.kind === 'instant') return new Date(-8.64e15)
  if (field.kind === 'number' || field.kind === 'integer') return Number.NEGATIVE_INFINITY
  return field.kind === 'boolean' ? false : ''
}

function typeOf(shape: Shape): unknown {
  if (shape.kind !== 'array') return { $type: scalarType(shape) }
  const element = shape.element ? scalarType(shape.element) : Schema.Types.Mixed
  return { $type: [element], default: undefined }
}

function scalarType({ kind }: Shape) {
  if (kind === 'instant') return Date
  if (kind === 'number' || kind === 'integer') return Number
  if (kind === 'boolean') return Boolean
  return kind === 'object' || kind === 'array' ? Schema.Types.Mixed : String
}
