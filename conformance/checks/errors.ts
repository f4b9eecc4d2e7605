import { absentId } from '../absent-id'
import { described, type Installation } from '../installation'
import { isObject, type JsonObject, objectsIn, textAt } from '../json'
import { askMcp, callTool } from '../mcp'
import type { Check } from '../proof'
import { answerOf } from '../samples'

type ErrorCheck = Check<Installation>

/** Calls that every installation refuses, and the code of the refusal. */
const refusedCalls: readonly (readonly [tool: string, args: JsonObject, code: string])[] = [
  ['list_records', {}, 'invalid_parameter'],
  ['list_records', { entity: 'RenownConformance' }, 'outside_surface'],
  ['list_records', { entity: 'Review', q: { renown_conformance: 1 } }, 'invalid_filter'],
  ['list_records', { entity: 'Review', sort: 'renown_conformance' }, 'invalid_parameter'],
  ['get_record', { entity: 'Review', id: absentId('Review') }, 'not_found'],
  ['countRecords', { entity: 'Review', renown_conformance: true }, 'unknown_field'],
  ['getReportStatus', { report_id: absentId('Report') }, 'not_found'],
]

const toolWords: ErrorCheck = {
  id: 'errors.tools',
  promise: 'Refusals of tools speak of tools: they name the argument, never an address of HTTP',
  async run({ connection, tools }, proof) {
    for (const [tool, args, code] of refusedCalls) {
      if (!tools.some(({ name }) => name === tool)) {
        proof.unproven(`${tool} is not offered`)
        continue
      }
      const what = `${tool} ${JSON.stringify(args).slice(0, 60)}`
      const answer = await callTool(connection, tool, args, { query: '?structured=1' })
      if (!proof.expect(answer.isError, `${what} is not refused`)) continue
      proof.expect(answer.structured === null, `${what}: a refusal has structured content`)
      const [words = '', json = ''] = answer.text.split('\n')
      proof.expect(
        json.includes(`"code":"${code}"`),
        `${what} is refused as ${json.slice(0, 160)}, not as ${code}`,
      )
      proof.expect(
        !/\b(?:GET|POST|PUT|PATCH|DELETE) \/|X-Workspace-Id|X-Next-Cursor|query parameter|request body/i.test(
          words,
        ),
        `${what} speaks of HTTP: ${words.slice(0, 120)}`,
      )
    }
  },
}

const problems: ErrorCheck = {
  id: 'errors.http',
  promise: 'Errors of HTTP are problem documents with a published code, a request id and the field',
  async run({ connection }, proof) {
    for (const [path, status, code] of [
      ['/api/entities/Review?limit=0', 422, 'invalid_parameter'],
      ['/api/entities/Review?renown_conformance=1', 400, 'unknown_parameter'],
      ['/api/entities/Review?q=%7B', 400, 'malformed_filter'],
      ['/api/entities/Review?q=%7B%22%24where%22%3A%221%22%7D', 422, 'operator_not_allowed'],
      ['/api/entities/RenownConformance', 403, 'outside_surface'],
    ] as const) {
      const answer = await connection.ask(path)
      proof.expect(
        answer.status === status && textAt(answer.json, 'code') === code,
        `GET ${path}: ${described(answer)}, not ${status} ${code}`,
      )
      proof.expect(
        answer.headers.get('content-type')?.startsWith('application/problem+json') === true,
        `GET ${path} is not application/problem+json`,
      )
      proof.expect(
        answer.headers.get('x-request-id') !== null &&
          textAt(answer.json, 'request_id') === answer.headers.get('x-request-id'),
        `GET ${path} has no request id, or two different ones`,
      )
    }
  },
}

const limits: ErrorCheck = {
  id: 'limits.answers',
  promise: 'Answers are limited: rows, characters, and rates that every answer announces',
  async run(installation, proof) {
    const { connection } = installation
    const first = await connection.ask('/api/entities/Review?limit=1')
    for (const name of ['ratelimit', 'ratelimit-policy'])
      proof.expect(first.headers.get(name) !== null, `Answers have no header ${name}`)
    const second = await connection.ask('/api/entities/Review?limit=1')
    const [left, leftThen] = [first, second].map((answer) =>
      Number(/r=(\d{1,12})/.exec(answer.headers.get('ratelimit') ?? '')?.[1]),
    )
    proof.expect(
      left !== undefined && leftThen !== undefined && (leftThen < left || leftThen > left + 1),
      `The rate limit does not count: ${left} left, then ${leftThen}`,
    )
    const reduced = await connection.ask('/api/entities/Review?limit=100000')
    proof.expect(objectsIn(reduced.json).length <= 1_000, 'A list has more than 1,000 rows')
    proof.expect(
      reduced.headers.get('x-limit-applied') !== null,
      'A reduced limit is not announced by X-Limit-Applied',
    )
    const many = answerOf(await callTool(connection, 'list_records', { entity: 'Review', limit: 100_000 }))
    proof.expect(
      many !== null && objectsIn(many.rows).length <= 100,
      'list_records returns more than 100 rows',
    )
    for (const { tool, plain } of await installation.samples())
      proof.expect(plain.text.length <= 41_000, `${tool} returns ${plain.text.length} characters`)
    const asText = answerOf(
      await callTool(connection, 'list_records', { entity: 'Review', limit: '1', q: null }),
    )
    proof.expect(
      asText !== null && objectsIn(asText.rows).length <= 1,
      'list_records does not read a number that is text, or null',
    )
    const big = await askMcp(connection, 'tools/list', { padding: 'x'.repeat(3_000_000) })
    proof.expect(big.status === 413 || big.status === 400, `A body of 3 MB has ${described(big)}, not 413`)
    proof.expect(isObject(big.json), 'The refusal of a large body is not JSON')
  },
}

export const errorChecks = [toolWords, problems, limits]
