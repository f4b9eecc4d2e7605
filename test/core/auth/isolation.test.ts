import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AnyEntity, AnyOperation } from 'renown'
import { withCore } from '../../../core/product/core-plugins'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import { builtin } from '../../../plugins/index'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import {
  askMcp,
  problemIn,
  type Revision,
  revisions,
  type ToolResult,
  unmarkedResult,
} from '../../support/mcp'
import { mongoUri } from '../../support/mongo'
import { describeWith, type NeedName } from '../../support/needs'
import { inputFrom } from '../../support/operation-input'
import { quietLog } from '../../support/quiet-log'
import { type Random, randomSource } from '../../support/random-documents'
import { agencyPlans, type ExpectedCredential, makeWorld, type RandomWorld } from '../../support/random-world'

const isLong = process.env.RENOWN_LONG === '1'
const high = '1000000'
const mongo = () => openMongo({ uri: mongoUri() ?? '', now: () => new Date(), log: quietLog })
const stores: readonly [
  name: string,
  needs: readonly NeedName[],
  worlds: number,
  open: () => Promise<Documents | undefined>,
][] = [
  ['SQLite', [], isLong ? 50 : 3, async () => undefined],
  ['MongoDB', ['a long run', 'MongoDB'], 5, mongo],
]

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>

/** What came back, by whichever door: the status that REST answers with, the code of a refusal, and every word. */
interface Answer {
  readonly status: number
  readonly code?: string
  readonly body?: unknown
  readonly text: string
}

/** One question by one of the three doors; what it may show is known beforehand. */
type Ask = (door: 'rest' | Revision, token: string, workspace: string | undefined) => Promise<Answer>

const doors = ['rest', ...revisions] as const

for (const [name, needs, worlds, open] of stores)
  describeWith(...needs)(`on ${name}`, () => {
    let documents: Documents | undefined
    beforeAll(async () => {
      columns = await freshColumns()
      documents = await open()
      gate = await startGate({
        plugins: withCore(builtin),
        columns,
        ...(documents ? { documents } : {}),
        settings: { LIMIT_DRAFTS_PER_DAY: high, LIMIT_REPORTS_PER_DAY: high, LIMIT_SETUPS_PER_DAY: high },
      })
    }, 90_000)
    afterAll(async () => {
      await gate.stop()
      await documents?.close()
      await columns.close()
    })

    test(`no credential sees or changes what is not its own in ${worlds} random worlds, of any record type, by any operation, by any door`, async () => {
      const told = { 200: 0, 401: 0, 403: 0, 404: 0 }
      await fc.assert(
        fc.asyncProperty(agencyPlans, fc.integer(), async (plans, seed) => {
          const world = await makeWorld(gate, columns, plans)
          const random = randomSource(seed)
          for (const credential of world.credentials) {
            for (const workspace of [undefined, ...world.workspaces.map(({ id }) => id), 'wsp_none']) {
              const here = workspace ?? credential.home
              const before = await rowsOutside(world, here)
              for (const question of questions(world, random)) {
                const answer = await question.ask(random.one(doors), credential.token, workspace)
                const what = `${question.name} as ${credential.what}`
                expect({
                  what,
                  leaks: leaks(answer.text, world, here, question.isOfAll, credential),
                }).toEqual({
                  what,
                  leaks: [],
                })
                const outcome = question.outcome(credential, here)
                expect({ what, answer: outcomeOf(answer, outcome) }).toEqual({ what, answer: outcome })
                if (answer.status === 200) question.check?.(answer.body, credential, here)
                if (answer.status in told) told[answer.status as keyof typeof told]++
              }
              expect(await rowsOutside(world, here)).toBe(before)
            }
          }
        }),
        { numRuns: worlds },
      )
      if (worlds > 1) expect(Math.min(...Object.values(told))).toBeGreaterThan(50)
    }, 1_800_000)
  })

interface Question {
  readonly name: string
  readonly ask: Ask
  /** The refusal that must come, or `served`. */
  outcome(credential: ExpectedCredential, here: string): string
  check?(body: unknown, credential: ExpectedCredential, here: string): void
  /** It may show every workspace that the credential reads. */
  readonly isOfAll?: boolean
}

/** What everybody is asked before the question itself counts. */
function standing({ isLive, readable }: ExpectedCredential, here: string): string | null {
  if (!isLive) return '401 unauthenticated'
  return readable.includes(here) ? null : '403 workspace_not_readable'
}

function* questions(world: RandomWorld, random: Random): Generator<Question> {
  const entities = [...gate.registry.entities.values()].filter(({ reads }) => reads.length > 0)
  for (const entity of entities) {
    const isOfAll = entity.scope.by === 'self'
    if (entity.reads.includes('list')) yield { ...listOf(world, entity), isOfAll }
    if (!entity.reads.includes('get')) continue
    const rows = isOfAll
      ? world.workspaces.map(({ id }) => ({ id, workspaceId: id }))
      : world.rows.filter((row) => row.entity === entity)
    for (const { id, workspaceId } of [random.one(rows), random.one(rows)]) {
      yield {
        name: `${entity.name} ${id}`,
        isOfAll,
        ask: reading(entity.name, id),
        outcome: (credential, here) => {
          const isHere = isOfAll ? credential.readable.includes(id) : workspaceId === here
          return standing(credential, here) ?? (isHere ? 'served' : '403 not_in_workspace')
        },
      }
    }
    yield {
      name: `${entity.name} of nowhere`,
      ask: reading(entity.name, `${entity.idPrefix}_none`),
      outcome: (credential, here) => standing(credential, here) ?? '404 not_found',
    }
  }
  for (const operation of gate.registry.operations.values()) {
    yield {
      name: operation.name,
      ask: calling(operation.name, inputFrom(operation, world.rows, random.below(2 ** 30))),
      outcome: (credential, here) => operationRefusal(world, operation, credential, here) ?? 'served',
      isOfAll: ofSeveral.includes(operation.name),
    }
  }
}

/** Operations whose answers are about several workspaces. */
const ofSeveral = ['aggregateRecords', 'compareWorkspaces']

function operationRefusal(
  world: RandomWorld,
  { class: kind, crossAgency }: AnyOperation,
  credential: ExpectedCredential,
  here: string,
): string | undefined {
  const { isLive, scopes, agencyId } = credential
  const isInScope = scopes.includes(kind === 'read' ? 'read' : 'write')
  if (isLive && !isInScope) return '403 insufficient_scope'
  const refused = standing(credential, here)
  if (refused) return refused
  const isOwn = world.workspaces.some(({ id, agencyId: of }) => id === here && of === agencyId)
  return isOwn || crossAgency === 'allowed' ? undefined : '403 cross_agency_refused'
}

/** Asks for everybody's rows by their ids, so that nothing but the clamp stands between. */
function listOf(world: RandomWorld, entity: AnyEntity): Question {
  const isOfAll = entity.scope.by === 'self'
  const planted = isOfAll
    ? world.workspaces.map(({ id }) => ({ id, workspaceId: id }))
    : world.rows.filter((row) => row.entity === entity)
  const q = { id: planted.map(({ id }) => id) }
  return {
    name: `list of ${entity.name}`,
    ask: async (door, token, workspace) =>
      door === 'rest'
        ? rest(
            `/api/entities/${entity.name}?limit=100&q=${encodeURIComponent(JSON.stringify(q))}`,
            token,
            workspace,
          )
        : tool(door, 'list_records', { entity: entity.name, limit: 100, q }, token, workspace),
    outcome: (credential, here) => standing(credential, here) ?? 'served',
    check(body, { readable }, here) {
      const rows = (Array.isArray(body) ? body : (body as { rows: unknown[] }).rows) as { id: string }[]
      const own = planted.filter(({ workspaceId }) =>
        isOfAll ? readable.includes(workspaceId) : workspaceId === here,
      )
      const hidden = Object.keys(entity.except ?? {}).length > 0 ? 0 : own.length
      expect(rows.filter(({ id }) => !own.some((row) => row.id === id))).toEqual([])
      expect(rows.length).toBeGreaterThanOrEqual(hidden)
    },
  }
}

const reading =
  (entity: string, id: string): Ask =>
  (door, token, workspace) =>
    door === 'rest'
      ? rest(`/api/entities/${entity}/${encodeURIComponent(id)}`, token, workspace)
      : tool(door, 'get_record', { entity, id }, token, workspace)

const calling =
  (name: string, input: Record<string, unknown>): Ask =>
  (door, token, workspace) =>
    door === 'rest'
      ? rest(`/api/functions/${name}`, token, workspace, input)
      : tool(door, name, input, token, workspace)

async function rest(path: string, key: string, workspace?: string, body?: object): Promise<Answer> {
  const response = await gate.ask(path, {
    key,
    ...(workspace === undefined ? {} : { workspace }),
    ...(body ? { method: 'POST', body } : {}),
  })
  const headers = [...response.headers].filter(([name]) => name !== 'link')
  const text = await response.text()
  const answer = JSON.parse(text)
  return { status: response.status, code: answer.code, body: answer, text: `${text} ${headers.join(' ')}` }
}

async function tool(
  door: Revision,
  name: string,
  args: Record<string, unknown>,
  key: string,
  workspace?: string,
): Promise<Answer> {
  const named = workspace === undefined ? args : { ...args, workspace_id: workspace }
  const asked = { key, query: '?structured=1' }
  const response = await askMcp(gate, door, 'tools/call', { name, arguments: named }, asked)
  const text = await response.text()
  if (response.status !== 200) return { status: response.status, code: JSON.parse(text).code, text }
  const result = unmarkedResult(JSON.parse(text).result as ToolResult)
  if (!result.isError) return { status: 200, body: result.structuredContent, text }
  const { status, code } = problemIn(result)
  return { status: Number(status), code: String(code), text }
}

/** What an operation makes of ids from anywhere is its own affair, as long as it is an answer. */
function outcomeOf({ status, code }: Answer, expected: string): string {
  const isServed = status === 200 || (expected === 'served' && [404, 409, 422].includes(status))
  const isForeignId = expected === 'served' && code === 'not_in_workspace'
  return isServed || isForeignId ? 'served' : `${status} ${code}`
}

/** Marks of workspaces that the answer may not show. */
function leaks(
  text: string,
  world: RandomWorld,
  here: string,
  isOfAll: boolean | undefined,
  { readable, isLive }: ExpectedCredential,
): string[] {
  const shown = new Set([...text.matchAll(/mark-(wsp_\w+)-/g)].map((match) => String(match[1])))
  // The refusal of a record in another workspace names that workspace, to a credential that reads it.
  const isNamed = isOfAll || text.includes('not_in_workspace')
  const isAllowed = (id: string) => isLive && readable.includes(id) && (isNamed || id === here)
  const known = world.workspaces.map(({ id }) => id)
  return [...shown].filter((id) => !known.includes(id) || !isAllowed(id))
}

/** Every planted row of other workspaces, as it is stored. */
async function rowsOutside({ rows }: RandomWorld, here: string): Promise<string> {
  const stored = rows.map(async ({ entity, id, workspaceId }) =>
    workspaceId === here || entity.store !== 'documents' ? null : gate.documents.collection(entity).get(id),
  )
  return JSON.stringify(await Promise.all(stored))
}
