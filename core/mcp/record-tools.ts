import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { recordPage } from '../http/entities'
import { fitted, printed } from '../kit/model-text'
import type { Words } from '../kit/words'
import type { Registry } from '../registry/registry'
import type { Surface, SurfaceEntity } from '../registry/surface'
import { cutProperties } from './operation-tool'
import { limitMax, listRows, searchOf, textOf, wordsNamed } from './record-lists'
import { withProperties } from './schema'
import { type Arguments, type Tool, titleOf, workspaceArgument } from './tool'

/** The toolset with the tools for records of any type. */
export const recordsToolset = 'records'

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
    run: (deps, state, { entity, ...asked }) =>
      listRows(deps, state, named(entity, 'entity', entities), counted(asked)),
  })

const listWorkspaces: Tool = readTool({
  name: 'list_workspaces',
  description: `Lists the workspaces that this credential reads: id or name goes into workspace_id of every other tool.`,
  input: paging,
  output: { rows: { type: 'array', items: { type: 'object' } }, ...listed },
  outputRequired: ['rows', 'has_more'],
  address: () => '/api/entities/Workspace',
  run: (deps, state, asked) => listRows(deps, state, 'Workspace', asked),
})

const getRecord = (entities: readonly string[]): Tool =>
  readTool({
    name: 'get_record',
    description: 'Reads one record by its id.',
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

/** Returns the arguments of a list. Throws if `count` is neither true nor false. */
function counted(args: Arguments): Arguments {
  if (args.count === undefined || typeof args.count === 'boolean') return args
  throw refuse('count', 'must be true or false')
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
