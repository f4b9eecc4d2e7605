import { readContext } from '../contexts/context'
import { withNamedIds } from '../contexts/named-ids'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { listPage, recordPage } from '../http/entities'
import { fitted, type Printed, printed } from '../kit/model-text'
import { type Words, wordsOfEntity } from '../kit/words'
import { listBounds } from '../query/parse'
import type { Registry } from '../registry/registry'
import type { Surface, SurfaceEntity } from '../registry/surface'
import type { AuthenticatedState } from '../requests/request'
import { cutProperties } from './operation-tool'
import { withProperties } from './schema'
import { type Arguments, type Tool, type ToolDeps, titleOf, workspaceArgument } from './tool'

/** The toolset with the tools for records of any type. */
export const recordsToolset = 'records'
const limitDefault = 25
const limitMax = 100

const paging = {
  limit: { type: 'integer' },
  skip: { type: 'integer' },
}

const listed = {
  has_more: { type: 'boolean', description: 'Rows follow.' },
  next_cursor: { type: 'string', description: 'The cursor of the next page, if there are more rows.' },
  total: { type: 'integer', description: 'Number of matching rows, if count was requested.' },
  ...cutProperties,
}

/** The tools that no plugin declares: records of every type, their description, and the workspaces. */
export function recordTools(registry: Registry, surface: Surface): Tool[] {
  const entities = [...registry.entities.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = (read: 'list' | 'get') => entities.filter(({ reads }) => reads.includes(read)).map(nameOf)
  return [
    listRecords(names('list')),
    getRecord(names('get')),
    describeRecords(surface),
    ...(names('list').includes('Workspace') ? [listWorkspaces] : []),
  ]
}

const nameOf = ({ name }: AnyEntity): string => name

const fieldsArgument = {
  type: 'array',
  items: { type: 'string' },
  description: 'Default: all fields',
}

const listRecords = (entities: readonly string[]): Tool =>
  readTool({
    name: 'list_records',
    description: `Lists records of one type, filtered, sorted and paged. describe_records tells the fields.`,
    input: {
      entity: { enum: entities },
      q: {
        type: 'object',
        description:
          'Filter by fields, such as {"star_rating":{"$lte":2}}. Operators: $eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith $all $size $and $or $nor $not',
      },
      sort: {
        type: 'string',
        description: 'Up to three fields, separated by commas; - before one: descending',
      },
      ...paging,
      cursor: { type: 'string', description: 'next_cursor of the page before, with the same sort' },
      fields: fieldsArgument,
      count: { type: 'boolean', description: 'Also count the matching rows' },
    },
    required: ['entity'],
    output: { rows: { type: 'array', items: { type: 'object' } }, ...listed },
    outputRequired: ['rows', 'has_more'],
    address: ({ entity }) => `/api/entities/${pathPart(entity)}`,
    run: (deps, state, { entity, ...asked }) => list(deps, state, named(entity, 'entity', entities), asked),
  })

const listWorkspaces: Tool = readTool({
  name: 'list_workspaces',
  description: `Lists the workspaces that this credential reads: id or name goes into workspace_id of every other tool.`,
  input: paging,
  output: { rows: { type: 'array', items: { type: 'object' } }, ...listed },
  outputRequired: ['rows', 'has_more'],
  address: () => '/api/entities/Workspace',
  run: (deps, state, asked) => list(deps, state, 'Workspace', asked),
})

const getRecord = (entities: readonly string[]): Tool =>
  readTool({
    name: 'get_record',
    description: `Reads one record by its id, in the workspace it lives in.`,
    input: {
      entity: { type: 'string', description: 'As in list_records' },
      id: { type: 'string' },
      fields: fieldsArgument,
    },
    required: ['entity', 'id'],
    output: { record: { type: 'object' }, ...cutProperties },
    outputRequired: ['record'],
    address: ({ entity, id }) => `/api/entities/${pathPart(entity)}/${pathPart(id)}`,
    async run(deps, state, { entity, id, ...asked }) {
      const name = named(entity, 'entity', entities)
      const search = searchOf(asked)
      const { body } = await recordPage(deps, { ...state, search }, name, named(id, 'id'))
      const record = JSON.parse(textOf(body))
      const words: Words = { fields: new Map([['record', wordsNamed(deps, name)]]), others: 'ours' }
      return fitted({ record }, { words, wholeText: true })
    },
  })

function describeRecords({ entities }: Surface): Tool {
  const names = entities.map(({ name }) => name)
  return readTool({
    name: 'describe_records',
    description:
      'Lists the record types that you can read or, with `entity`, the fields of one: type, meaning, and whether you can filter and sort by them.',
    input: { entity: { type: 'string', description: 'As in list_records. Default: all' } },
    output: { entities: { type: 'array', items: { type: 'object' } } },
    outputRequired: ['entities'],
    address: () => '/api/surface',
    async run(_deps, _state, args) {
      onlyTakes(args, ['entity'])
      if (args.entity === undefined) return printed({ entities: entities.map(inShort) })
      const name = named(args.entity, 'entity', names)
      const found = entities.find((entity) => entity.name === name)
      if (found) return printed({ entities: [found] })
      throw refuse('entity', 'is not an available record type', names)
    },
  })
}

const inShort = ({ name, summary, not_yet, reads, default_sort, period_field, fields }: SurfaceEntity) => ({
  name,
  summary,
  ...(not_yet === undefined ? {} : { not_yet }),
  reads,
  default_sort,
  period_field,
  fields: fields.map((field) => field.name),
})

/** Returns a list, through the same query string as over HTTP. */
async function list(
  deps: ToolDeps,
  state: AuthenticatedState,
  entity: string,
  { limit = limitDefault, ...asked }: Arguments,
): Promise<Printed> {
  if (asked.count !== undefined && typeof asked.count !== 'boolean')
    throw refuse('count', 'must be true or false')
  const meant = await withIds(deps, state, entity, asked)
  const answer = await listOnce(deps, state, entity, { limit, ...meant })
  const { rows, truncated } = answer.value
  if (!truncated) return answer
  // Only the store knows the position after the last shown row.
  const { length } = rows as unknown[]
  const shorter = await listOnce(deps, state, entity, { limit: length, ...meant })
  return printed({ ...shorter.value, truncated })
}

/** Returns the arguments of a list with ids in place of names in its filter. */
async function withIds(
  { registry, sources, clock }: ToolDeps,
  state: AuthenticatedState,
  entity: string,
  asked: Arguments,
): Promise<Arguments> {
  const { q } = asked
  if (q === null || typeof q !== 'object') return asked
  const { workspace, principal, id } = state
  if (!workspace) return asked
  const caller = { workspace, credential: principal, requestId: id }
  const ctx = readContext({ registry, sources, now: clock.now }, caller)
  const meant = (await withNamedIds(registry, ctx, '', { entity, q })) as { readonly q: unknown }
  return { ...asked, q: meant.q }
}

async function listOnce(
  deps: ToolDeps,
  state: AuthenticatedState,
  entity: string,
  asked: Arguments,
): Promise<Printed> {
  const { body, headers } = await listPage(deps, { ...state, search: searchOf(asked) }, entity)
  const rows = JSON.parse(textOf(body)) as unknown[]
  const more = headers['x-has-more'] === 'true'
  const skip = asked.cursor === undefined ? Number(asked.skip ?? 0) : undefined
  const next = skip === undefined ? undefined : skip + rows.length
  const whole = {
    rows,
    has_more: more,
    ...(more && next !== undefined && next <= listBounds.skipMax ? { next_skip: next } : {}),
    ...(more && headers['x-next-cursor'] ? { next_cursor: headers['x-next-cursor'] } : {}),
    ...(headers['x-total-count'] ? { total: Number(headers['x-total-count']) } : {}),
  }
  const rowWords: Words = { items: wordsNamed(deps, entity) }
  return fitted(whole, { skip, words: { fields: new Map([['rows', rowWords]]), others: 'ours' } })
}

function wordsNamed({ registry }: ToolDeps, name: string): Words {
  const entity = registry.entities.get(name)
  return entity ? wordsOfEntity(entity) : 'theirs'
}

/** Returns the arguments as the query string of the same request, so that one parser checks both. */
function searchOf(args: Arguments): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue
    params.set(name, written(name, value))
  }
  return params.toString()
}

function written(name: string, value: unknown): string {
  if (name === 'fields' && Array.isArray(value)) return value.map(String).join(',')
  if (name === 'count' && typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns a required text. Its value is checked where it is looked up. */
function named(value: unknown, parameter: string, allowed?: readonly string[]): string {
  if (typeof value === 'string' && value !== '') return value
  throw refuse(parameter, value === undefined ? 'is required' : 'must be text', allowed)
}

function refuse(parameter: string, message: string, allowed?: readonly string[]): Refusal {
  return new Refusal('invalid_parameter', `The argument \`${parameter}\` ${message}.`, {
    errors: [{ parameter, code: 'invalid', message, ...(allowed ? { allowed } : {}) }],
  })
}

function onlyTakes(args: Arguments, names: readonly string[]) {
  const unknown = Object.keys(args).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new Refusal('unknown_parameter', `This tool has no argument \`${unknown.slice(0, 80)}\`.`, {
    errors: [
      {
        parameter: unknown.slice(0, 80),
        code: 'unknown_parameter',
        message: 'is not accepted here',
        allowed: names,
      },
    ],
  })
}

const pathPart = (value: unknown) => encodeURIComponent(String(value).slice(0, 200).toWellFormed())

const decoder = new TextDecoder()
const textOf = (body: string | Uint8Array) => (typeof body === 'string' ? body : decoder.decode(body))

interface ReadTool {
  readonly name: string
  readonly description: string
  readonly input: Record<string, object>
  readonly required?: string[]
  readonly output: Record<string, object>
  readonly outputRequired: string[]
  readonly address: Tool['address']
  readonly run: Tool['run']
}

function readTool({ name, description, input, required, output, ...rest }: ReadTool): Tool {
  const title = titleOf(name)
  const inputSchema = {
    ...withProperties({}, { ...input, ...workspaceArgument }),
    ...(required ? { required } : {}),
  }
  const bounded: Record<string, object> =
    'limit' in input ? { limit: { ...paging.limit, maximum: limitMax } } : {}
  return {
    accepts: withProperties(inputSchema, bounded),
    toolset: recordsToolset,
    writes: false,
    isRead: true,
    outputSchema: { ...withProperties({}, output), required: rest.outputRequired },
    listing: {
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    address: rest.address,
    run: rest.run,
  }
}
