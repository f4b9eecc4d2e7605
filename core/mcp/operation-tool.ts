import type { AnyOperation, OperationClass } from '../contracts/operation'
import { callOperation } from '../http/functions'
import { jsonSchemaOf } from '../kit/json-schema'
import { fitted } from '../kit/model-text'
import { answerSchema, withProperties } from './schema'
import { fenceNote, type Tool, titleOf, without, workspaceArgument } from './tool'

const writeArguments = {
  dry_run: { type: 'boolean', description: 'Return what would be written, without writing.' },
  idempotency_key: {
    type: 'string',
    maxLength: 255,
    description: 'Repeating the key within 24 hours returns the first answer again and writes nothing.',
  },
}

/** Properties that show that an answer was shortened. */
export const cutProperties = {
  truncated: {
    type: 'array',
    description: 'Lists that were shortened, with the number of items that are shown.',
    items: {
      type: 'object',
      properties: { field: { type: 'string' }, shown: { type: 'integer' }, of: { type: 'integer' } },
    },
  },
  next_skip: { type: 'integer', description: 'The skip value of the next page, if there are more rows.' },
}

const effects: Readonly<Record<OperationClass, string>> = {
  read: 'Reads only.',
  draft: 'Saves a draft or a suggestion; nothing is sent or published.',
  queue: 'Queues a report.',
  setup: 'Sets up what is not there yet; refuses where it is.',
  mark: 'Marks records as seen. Marking again changes nothing.',
}

/** Returns the tool of an operation: its name, its schemas, and the annotations of its class. */
export function operationTool(operation: AnyOperation, toolset: string, notYet = ''): Tool {
  const writes = operation.class !== 'read'
  const further = writes ? { ...workspaceArgument, ...writeArguments } : workspaceArgument
  const input = withProperties(jsonSchemaOf(operation.input), further)
  const output = withProperties(answerSchema(jsonSchemaOf(operation.output)), cutProperties)
  const title = titleOf(operation.name)
  const pages = Object.hasOwn((operation.input as { entries?: object }).entries ?? {}, 'skip')
  const description = [
    `${operation.summary}.`,
    notYet,
    effects[operation.class as OperationClass],
    operation.deprecated ? `Deprecated: use ${operation.deprecated.use} instead.` : '',
    fenceNote,
  ]
  return {
    toolset,
    writes,
    isRead: false,
    foreign: true,
    listing: {
      name: operation.name,
      title,
      description: description.filter(Boolean).join(' '),
      inputSchema: input,
      outputSchema: output,
      annotations: {
        title,
        readOnlyHint: !writes,
        destructiveHint: false,
        idempotentHint: operation.class === 'read' || operation.class === 'mark',
        openWorldHint: false,
      },
    },
    address: () => `/api/functions/${operation.name}`,
    async run(deps, state, args) {
      const { workspace, principal } = state
      if (!workspace) throw new Error('An operation was called without a workspace')
      const key = args.idempotency_key
      const body = writes ? without(args, 'idempotency_key') : args
      const { output: answer } = await callOperation(deps, {
        operation,
        caller: { workspace, credential: principal, requestId: state.id },
        principal,
        state,
        body: () => body,
        idempotencyKey: writes && key !== undefined ? String(key) : null,
      })
      return fitted(answer as object, pages ? Number(args.skip ?? 0) : undefined)
    },
  }
}
