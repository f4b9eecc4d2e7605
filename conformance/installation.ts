import type { Answer, Connection } from './connection'
import { isObject, type JsonObject, objectsIn, textAt, valueAt } from './json'
import type { WordsAt } from './marks'
import { askMcp, type ListedTool, toolsOf } from './mcp'
import type { PublishedOperation, PublishedType } from './published'
import { type AnsweredCall, readWords, type WordsBook } from './published-words'
import { createSamples, type Sample } from './samples'

/** The keys of a run. Only the first is required. */
export interface Keys {
  readonly key: string
  /** A key of another agency on the same installation. */
  readonly otherKey: string | null
  /** An access token that can only read. */
  readonly readKey: string | null
}

/** A running installation, and what it publishes about itself. */
export interface Installation extends Keys {
  readonly connection: Connection
  readonly allowsWrites: boolean
  readonly openapi: JsonObject
  readonly surface: JsonObject
  readonly types: readonly PublishedType[]
  readonly operations: readonly PublishedOperation[]
  /** The tools, with the schemas of their answers. */
  readonly tools: readonly ListedTool[]
  /** Who writes which text. */
  readonly words: WordsBook
  readonly homeId: string
  readonly workspaceIds: readonly string[]
  readonly scopes: readonly string[]
  /** One answer of every tool that reads, in both renderings. Read once. */
  samples(): Promise<readonly Sample[]>
}

/** The installation cannot be tested, and why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** Reads what the installation publishes. Throws `CannotRun` if it does not answer as Renown does. */
export async function openInstallation(
  connection: Connection,
  keys: Keys,
  allowsWrites: boolean,
): Promise<Installation> {
  const openapi = objectOf(await connection.ask('/openapi.json', { key: null }), 'GET /openapi.json')
  if (!isObject(openapi.paths)) throw new CannotRun('GET /openapi.json is not an OpenAPI document.')
  const surfaceAnswer = await connection.ask('/api/surface')
  if (surfaceAnswer.status === 401) throw new CannotRun('The installation does not accept the key (401).')
  const surface = objectOf(surfaceAnswer, 'GET /api/surface')
  const listed = await askMcp(connection, 'tools/list', {}, { query: '?structured=1' })
  const tools = toolsOf(listed)
  if (!tools || tools.length === 0)
    throw new CannotRun(`tools/list of /api/mcp has no tools (${described(listed)}).`)
  const who = objectOf(
    await connection.ask('/api/functions/whoami', { method: 'POST', body: {} }),
    'POST /api/functions/whoami',
  )
  const homeId = textAt(who, 'workspace', 'id')
  const scopes = valueAt(who, 'credential', 'scopes')
  if (homeId === undefined) throw new CannotRun('whoami names no workspace.')
  const workspaces = await connection.ask('/api/entities/Workspace?limit=50')
  const workspaceIds = objectsIn(workspaces.json).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const types = objectsIn(surface.entities).map((type) => ({
    name: String(type.name),
    reads: Array.isArray(type.reads) ? type.reads.map(String) : [],
    fields: objectsIn(type.fields),
  }))
  const base = {
    ...keys,
    connection,
    allowsWrites,
    openapi,
    surface,
    types,
    tools,
    homeId,
    workspaceIds,
    operations: operationsIn(openapi),
    words: readWords(openapi, surface),
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
  }
  return { ...base, samples: createSamples(base) }
}

/** Returns who writes the texts of a call's answer. */
export const wordsOfCall =
  ({ words }: Pick<Installation, 'words'>, call: AnsweredCall): WordsAt =>
  (path) =>
    words.isPublished ? words.wordsAt(call, path) : 'unknown'

/** Returns the operations of the OpenAPI document. An operation without a class has the class ''. */
function operationsIn({ paths }: JsonObject): PublishedOperation[] {
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, methods]) => {
    const name = /^\/api\/functions\/(\w{1,100})$/.exec(path)?.[1]
    return name === undefined ? [] : [{ name, class: textAt(methods, 'post', 'x-renown-class') ?? '' }]
  })
}

function objectOf(answer: Answer, what: string): JsonObject {
  if (answer.status === 200 && isObject(answer.json)) return answer.json
  throw new CannotRun(`${what} did not return a JSON object: ${described(answer)}.`)
}

/** Returns what an answer is, in a few words. */
export function described({ status, headers, json }: Answer): string {
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const code = textAt(json, 'code')
  return code === undefined ? `status ${status}, ${type}` : `status ${status}, ${code}`
}
