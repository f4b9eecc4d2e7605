import type { Installation } from '../installation'
import { described } from '../installation'
import { askMcp, callTool, revisions, toolsOf } from '../mcp'
import type { Check } from '../proof'
import { nameOf } from './marks'

type ToolCheck = Check<Installation>

/** Longest list of tools, in bytes. */
const listBytesMax = 25_000

const listed: ToolCheck = {
  id: 'tools.list',
  promise: 'tools/list has exactly the published operations, with honest annotations, in both revisions',
  async run({ connection, operations, scopes }, proof) {
    const canWrite = scopes.includes('write')
    const lists = []
    for (const revision of revisions) {
      const answer = await askMcp(connection, 'tools/list', {}, { revision })
      const tools = toolsOf(answer)
      if (!proof.expect(tools !== null, `tools/list of ${revision} has no tools: ${described(answer)}`))
        continue
      lists.push(JSON.stringify(tools))
      proof.expect(
        Buffer.byteLength(JSON.stringify(tools)) <= listBytesMax,
        `tools/list of ${revision} has more than ${listBytesMax} bytes`,
      )
      const shown = new Map(tools?.map((tool) => [tool.name, tool]))
      for (const operation of operations) {
        const isRead = operation.class === 'read'
        const tool = shown.get(operation.name)
        proof.expect(
          (tool !== undefined) === (isRead || canWrite),
          `${operation.name} (${operation.class}) is ${tool ? 'listed without permission' : 'missing'} in ${revision}`,
        )
        proof.expect(
          tool === undefined || (tool.annotations.readOnlyHint === true) === isRead,
          `${operation.name}: readOnlyHint does not fit its class ${operation.class}`,
        )
      }
      for (const { name, annotations } of tools ?? [])
        proof.expect(
          annotations.readOnlyHint === true || annotations.destructiveHint === false,
          `${name} says that it may destroy`,
        )
      const known = new Set(operations.map(({ name }) => name))
      for (const name of shown.keys())
        proof.expect(
          known.has(name) || isRecordTool(name),
          `${name} is a tool that is not in the OpenAPI document`,
        )
    }
    proof.expect(new Set(lists).size <= 1, 'The two revisions list different tools')
  },
}

const isRecordTool = (name: string) =>
  ['list_records', 'get_record', 'describe_records', 'list_workspaces'].includes(name)

const scoped: ToolCheck = {
  id: 'tools.scope',
  promise: 'Who may only read sees and calls only tools that read',
  async run({ connection, tools, operations, readKey, scopes }, proof) {
    const writing = operations.filter((operation) => operation.class !== 'read').map(({ name }) => name)
    for (const revision of revisions) {
      const shown = toolsOf(await askMcp(connection, 'tools/list', {}, { revision, query: '?readonly=1' }))
      proof.expect(shown !== null && shown.length > 0, `?readonly=1 lists nothing in ${revision}`)
      for (const { name, annotations } of shown ?? [])
        proof.expect(
          annotations.readOnlyHint === true && !writing.includes(name),
          `?readonly=1 lists ${name}, which writes`,
        )
    }
    for (const name of writing.filter((one) => tools.some((tool) => tool.name === one))) {
      const answer = await callTool(connection, name, {}, { query: '?readonly=1' })
      proof.expect(answer.fault !== null, `?readonly=1 does not refuse a call of ${name}`)
    }
    const narrow = readKey ?? (scopes.includes('write') ? null : undefined)
    if (narrow === null)
      return proof.unproven('The scope of an access token. Set RENOWN_READ_TOKEN to a token without `write`.')
    const key = narrow
    const shown = toolsOf(await askMcp(connection, 'tools/list', {}, key === undefined ? {} : { key }))
    proof.expect(shown !== null, 'The token that only reads cannot list tools')
    for (const { name, annotations } of shown ?? [])
      proof.expect(annotations.readOnlyHint === true, `A token that only reads is shown ${name}`)
    for (const name of writing) {
      const { status } = await callTool(connection, name, {}, key === undefined ? {} : { key })
      proof.expect(
        status === 403,
        `A call of ${name} with a token that only reads has status ${status}, not 403`,
      )
    }
  },
}

const answers: ToolCheck = {
  id: 'tools.answers',
  promise: 'Every tool that reads answers in both revisions, with and without structured content',
  async run(installation, proof) {
    for (const sample of await installation.samples()) {
      const { plain, both, args, tool } = sample
      const needed = requiredOf(installation, tool).filter((name) => !(name in args))
      if (needed.length > 0) {
        proof.unproven(`${tool}: the workspace has nothing for its argument ${needed.join(', ')}`)
        continue
      }
      if (plain.isError && both.isError && isEmptyAnswer(plain.text)) {
        proof.unproven(`${tool} has nothing to answer: ${plain.text.split('\n')[0]?.slice(0, 120)}`)
        continue
      }
      proof.expect(
        !plain.isError && sample.value !== null,
        `${nameOf(sample)} did not answer: ${saying(plain)}`,
      )
      proof.expect(
        !both.isError && both.structured !== null,
        `${nameOf(sample)} has no structured answer: ${saying(both)}`,
      )
      proof.expect(
        plain.structured === null,
        `${nameOf(sample)} sends structured content that nobody asked for`,
      )
    }
  },
}

function requiredOf({ tools }: Installation, name: string): string[] {
  const required = tools.find((tool) => tool.name === name)?.inputSchema.required
  return Array.isArray(required) ? required.map(String) : []
}

/** Whether a refusal says that the workspace has no such data, which is no fault. */
const isEmptyAnswer = (text: string) => /"code":"(?:not_found|invalid_field|conflict)"/.test(text)

const saying = ({ text, fault, status }: { text: string; fault: object | null; status: number }) =>
  `status ${status}, ${(text || JSON.stringify(fault)).slice(0, 120)}`

export const toolChecks = [listed, scoped, answers]
