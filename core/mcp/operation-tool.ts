import { Refusal } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import { callOperation } from '../http/functions'
import { jsonSchemaOf } from '../kit/json-schema'
import { fitted } from '../kit/model-text'
import { answerWords } from './answer-words'
import { briefAnswer, fullArgument, shortened, unknownPath, wantsAll } from './brief-answer'
import { inputSchemaOf } from './input-schema'
import { answerSchema, withoutRequired, withProperties } from './schema'
import { listedAnswer } from './short-answer'
import { type Arguments, type Tool, titleOf, without, workspaceArgument } from './tool'
import { inToolWords } from './tool-words'

const writeArguments = { dry_run: { type: 'boolean' }, idempotency_key: { type: 'string' } }

const dryRunProperty = { dry_run: { type: 'boolean', description: 'Nothing was written.' } }

/** Properties that say whose words an answer has, and that it was shortened. */
export const cutProperties = {
  untrusted: { type: 'string', description: 'The two tags between which strangers wrote the text.' },
  truncated: {
    type: 'array',
    description: 'Lists that were shortened, with the number of items that are shown.',
    items: {
      type: 'object',
      properties: { field: { type: 'string' }, shown: { type: 'integer' }, of: { type: 'integer' } },
    },
  },
  limit_applied: { type: 'integer', description: 'The limit that was used, if a larger one was requested.' },
  hint: { type: 'string', description: 'How to read what a short answer leaves out.' },
  next_skip: { type: 'integer', description: 'The skip value of the next page, if there are more rows.' },
}

/** Returns the tool of an operation: its name, its schemas, and the annotations of its class. */
export function operationTool(operation: AnyOperation, toolset: string, notYet = ''): Tool {
  const writes = operation.class !== 'read'
  const { seldom = [] } = operation
  const takes = (name: string) => Object.hasOwn((operation.input as { entries?: object }).entries ?? {}, name)
  const { shorten } = operation
  const isBrief = (seldom.length > 0 || shorten !== undefined) && !takes('limit')
  const further = {
    ...workspaceArgument,
    ...(writes ? writeArguments : {}),
    ...(isBrief ? fullArgument : {}),
  }
  const input = jsonSchemaOf(operation.input)
  const output = jsonSchemaOf(operation.output)
  const unknown = isBrief ? unknownPath(output, seldom) : undefined
  if (unknown !== undefined)
    throw new Error(`${operation.name}: its answer has no ${unknown}, which seldom names`)
  const answered = writes ? { ...cutProperties, ...dryRunProperty } : cutProperties
  const outputSchema = withProperties(withoutRequired(answerSchema(output), seldom), answered)
  const title = titleOf(operation.name)
  const description = [
    `${inToolWords(operation.summary)}.`,
    notYet,
    operation.deprecated ? `Deprecated: use ${operation.deprecated.use} instead.` : '',
  ]
  return {
    toolset,
    writes,
    isRead: false,
    accepts: withProperties(input, further),
    outputSchema,
    listing: {
      name: operation.name,
      title,
      description: description.filter(Boolean).join(' '),
      inputSchema: withProperties(inputSchemaOf(input), further),
      annotations: {
        readOnlyHint: !writes,
        ...(writes ? { destructiveHint: false } : {}),
        ...(operation.class === 'mark' ? { idempotentHint: true } : {}),
        openWorldHint: false,
      },
    },
    address: () => `/api/functions/${operation.name}`,
    async run(deps, state, args) {
      const { workspace, principal } = state
      if (!workspace) throw new Error('An operation was called without a workspace')
      const run = async (body: Arguments) => {
        const { output: answer } = await callOperation(deps, {
          operation,
          caller: { workspace, credential: principal, requestId: state.id },
          principal,
          state,
          body: () => (writes ? without(body, 'idempotency_key') : body),
          idempotencyKey: writes ? idempotencyKeyIn(body) : null,
        })
        return writes && body.dry_run === true ? { dry_run: true, ...(answer as object) } : (answer as object)
      }
      const words = answerWords(operation, deps.registry, args)
      const skip = takes('skip') ? Number(args.skip ?? 0) : undefined
      if (!writes && takes('limit')) return listedAnswer(run, { words, skip, args, seldom, shorten })
      if (!isBrief) return fitted(await run(args), { words, skip })
      const isWhole = wantsAll(args)
      const answer = await run(without(args, 'full'))
      if (isWhole) return fitted(answer, { words, skip })
      const short = shorten?.(answer, args) ?? null
      return short ? shortened(short, words) : briefAnswer(answer, words, seldom, args)
    },
  }
}

function idempotencyKeyIn({ idempotency_key: key }: Arguments): string | null {
  if (key === undefined) return null
  if (typeof key === 'string') return key
  const message = 'must be text'
  throw new Refusal('invalid_parameter', `The argument \`idempotency_key\` ${message}.`, {
    errors: [{ parameter: 'idempotency_key', code: 'invalid', message }],
  })
}
