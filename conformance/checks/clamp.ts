import { absentId, absentLike } from '../absent-id'
import type { Answer } from '../connection'
import { described, type Installation } from '../installation'
import { isObject, type JsonObject, objectsIn, textAt, valueAt } from '../json'
import { callTool, type ToolAnswer } from '../mcp'
import type { Check, Proof } from '../proof'
import { answerOf } from '../samples'

type ClampCheck = Check<Installation>

const workspaces: ClampCheck = {
  id: 'clamp.workspace',
  promise:
    'A workspace that the key cannot read is refused, whether it exists or not, and never answered from another',
  async run(installation, proof) {
    const { connection, otherKey } = installation
    const random = absentId('Workspace')
    const foreign = otherKey === null ? [] : [await homeOf(installation, otherKey)]
    const paths = ['/api/entities/Review?limit=1', '/api/entities/Workspace?limit=1', '/api/surface']
    for (const path of paths) {
      const expected = await connection.ask(path, { workspace: random })
      proof.expect(
        expected.status === 403 && textAt(expected.json, 'code') === 'workspace_not_readable',
        `GET ${path} with an unknown workspace: ${described(expected)}, not 403 workspace_not_readable`,
      )
      for (const id of foreign)
        same(
          proof,
          `GET ${path} with the workspace of another agency`,
          await connection.ask(path, { workspace: id }),
          expected,
          [id, random],
        )
    }
    const args = { entity: 'Review', limit: 1 }
    const unknown = await callTool(connection, 'list_records', { ...args, workspace_id: random })
    proof.expect(unknown.isError, 'list_records with an unknown workspace_id is not refused')
    for (const id of foreign)
      sameTool(
        proof,
        'list_records with the workspace of another agency',
        await callTool(connection, 'list_records', { ...args, workspace_id: id }),
        unknown,
        [id, random],
      )
    if (foreign.length === 0)
      proof.unproven('A workspace of another agency. Give a key of it with --other-key.')
  },
}

const absent: ClampCheck = {
  id: 'clamp.absent',
  promise: 'An id that no record has answers the same for every id, over HTTP and MCP',
  async run({ connection, types }, proof) {
    for (const { name, reads } of types) {
      const ids = [absentId(name), absentId(name)] as const
      if (reads.includes('get')) {
        const first = await connection.ask(`/api/entities/${name}/${ids[0]}`)
        const second = await connection.ask(`/api/entities/${name}/${ids[1]}`)
        proof.expect(first.status === 404, `An unknown ${name} has ${described(first)}, not 404`)
        same(proof, `An unknown ${name}`, second, first, ids)
      }
      if (reads.includes('list')) {
        const list = await connection.ask(`/api/entities/${name}?q=${filterOf(ids[0])}`)
        proof.expect(
          list.text.trim() === '[]',
          `A list of ${name} by an unknown id is not empty: ${described(list)}`,
        )
      }
    }
  },
}

const ownWorkspaces: ClampCheck = {
  id: 'clamp.between',
  promise: 'A record of one workspace is not readable in another workspace of the same agency',
  async run({ connection, types, homeId, workspaceIds }, proof) {
    const others = workspaceIds.filter((id) => id !== homeId).slice(0, 2)
    if (others.length === 0) return proof.unproven('The key reads only one workspace.')
    for (const workspace of others)
      for (const { name } of clamped(types)) {
        const [row] = objectsIn((await connection.ask(`/api/entities/${name}?limit=1`, { workspace })).json)
        // A refusal names the workspace, because the key reads it.
        if (row) await notReadable(connection, proof, name, { ...row, workspace_id: '' })
        else proof.unproven(`${name}: the other workspaces have none`)
      }
  },
}

const otherAgency: ClampCheck = {
  id: 'clamp.agency',
  promise:
    'No record of another agency is readable: not by its id, in no list, in no count and by no argument',
  async run(installation, proof) {
    const { connection, types, otherKey, homeId, workspaceIds } = installation
    if (otherKey === null)
      return proof.unproven('Another agency. Give a key of one on the same installation with --other-key.')
    const foreignHome = await homeOf(installation, otherKey)
    if (foreignHome === homeId || workspaceIds.includes(foreignHome))
      return proof.unproven(
        'Both keys read the same agency, or the key reads all agencies. Use keys of two agencies.',
      )
    for (const { name } of types) {
      const foreign = objectsIn(
        (await connection.ask(`/api/entities/${name}?limit=3`, { key: otherKey })).json,
      )
      const ours = objectsIn((await connection.ask(`/api/entities/${name}?limit=100`)).json)
      const ids = new Set(foreign.map(({ id }) => id))
      proof.expect(!ours.some(({ id }) => ids.has(id)), `The list of ${name} has records of another agency`)
      if (foreign.length === 0) proof.unproven(`${name}: the other agency has none`)
      for (const row of foreign.slice(0, 1)) await notReadable(connection, proof, name, row)
    }
    await foreignCursor(installation, proof, otherKey)
  },
}

/** A position in the list of another agency must not lead to its rows. */
async function foreignCursor({ connection }: Installation, proof: Proof, otherKey: string) {
  const page = await connection.ask('/api/entities/Review?limit=2', { key: otherKey })
  const cursor = page.headers.get('x-next-cursor')
  if (cursor === null) return
  const answer = await connection.ask(`/api/entities/Review?limit=50&cursor=${encodeURIComponent(cursor)}`)
  const following = await connection.ask(
    `/api/entities/Review?limit=50&cursor=${encodeURIComponent(cursor)}`,
    { key: otherKey },
  )
  const ids = new Set(objectsIn(following.json).map(({ id }) => id))
  proof.expect(
    !objectsIn(answer.json).some(({ id }) => ids.has(id)),
    'A cursor of another agency leads to its reviews',
  )
}

/** Proves that a record cannot be read: by its id, by a filter, in a count. */
async function notReadable(
  connection: Installation['connection'],
  proof: Proof,
  name: string,
  row: JsonObject,
) {
  const id = String(row.id)
  const one = await connection.ask(`/api/entities/${name}/${encodeURIComponent(id)}`)
  const code = textAt(one.json, 'code')
  const isRefused =
    (one.status === 404 && code === 'not_found') || (one.status === 403 && code === 'not_in_workspace')
  if (code === 'not_in_workspace')
    proof.unproven(
      'That a foreign id cannot be distinguished: it answers 403 and an unknown one 404, as documented.',
    )
  proof.expect(
    isRefused,
    `A foreign ${name} has ${described(one)}, not 404 not_found or 403 not_in_workspace`,
  )
  proof.expect(!hasContentOf(one.text, row), `The refusal of a foreign ${name} has content of the record`)
  const list = await connection.ask(`/api/entities/${name}?count=1&q=${filterOf(id)}`)
  proof.expect(
    list.text.trim() === '[]',
    `A list of ${name} by a foreign id returns ${list.text.slice(0, 60)}`,
  )
  const total = list.headers.get('x-total-count')
  proof.expect(total === null || total === '0', `A count of ${name} by a foreign id is ${total}`)
  const tool = await callTool(connection, 'get_record', { entity: name, id })
  proof.expect(tool.isError && !hasContentOf(tool.text, row), `get_record returns a foreign ${name}`)
  const rows = answerOf(await callTool(connection, 'list_records', { entity: name, q: { id } }))?.rows
  proof.expect(
    Array.isArray(rows) && rows.length === 0,
    `list_records by a foreign id does not return an empty list of ${name}`,
  )
}

/** Whether a text has a longer text of a record. */
const hasContentOf = (text: string, row: JsonObject) =>
  Object.entries(row).some(
    ([name, value]) =>
      name !== 'id' &&
      typeof value === 'string' &&
      value.length >= 12 &&
      !String(row.id).includes(value) &&
      text.includes(value),
  )

const argumentsOfTools: ClampCheck = {
  id: 'clamp.arguments',
  promise:
    'An argument that names a foreign record is refused, and so is one that names none. Neither tells more',
  async run(installation, proof) {
    const { connection, tools, otherKey } = installation
    const foreign = await foreignIds(installation)
    if (foreign.size === 0)
      return proof.unproven(
        'Foreign ids. Give a key of another agency with --other-key, or a key that reads two workspaces.',
      )
    for (const { name, inputSchema, annotations } of tools) {
      if (annotations.readOnlyHint !== true) continue
      const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
      for (const [argument, id] of foreign) {
        const properties = valueAt(inputSchema, 'properties')
        const isFitting =
          isObject(properties) &&
          argument in properties &&
          required.every((one) => one === argument || one === 'path')
        if (!isFitting) continue
        const random = absentLike(id)
        const path = required.includes('path') ? { path: '/' } : {}
        const expected = await callTool(connection, name, { ...path, [argument]: random })
        const answer = await callTool(connection, name, { ...path, [argument]: id })
        refusedTool(proof, { what: `${name} with a foreign ${argument}`, argument }, answer, expected, [
          id,
          random,
        ])
      }
    }
    if (otherKey === null)
      proof.unproven('Ids of another agency. These ids are of another workspace of the same agency.')
  },
}

/** Returns ids that the home workspace cannot read, by argument. */
async function foreignIds({ connection, otherKey, homeId, workspaceIds }: Installation) {
  const elsewhere = workspaceIds.find((id) => id !== homeId)
  const asking = otherKey !== null ? { key: otherKey } : elsewhere ? { workspace: elsewhere } : null
  const ids = new Map<string, string>()
  if (!asking) return ids
  for (const [argument, type] of Object.entries({
    location_id: 'BusinessLocation',
    tracker_id: 'VisibilityTracker',
    site_id: 'AiTrafficSite',
    report_id: 'Report',
    run_id: 'VisibilityRun',
  })) {
    const [row] = objectsIn((await connection.ask(`/api/entities/${type}?limit=1`, asking)).json)
    if (typeof row?.id === 'string') ids.set(argument, row.id)
  }
  return ids
}

/** Compares two answers, apart from the ids that were sent and what changes each time. */
function same(proof: Proof, what: string, answer: Answer, expected: Answer, ids: readonly [string, string]) {
  const isSame =
    answer.status === expected.status && plainText(answer.text, ids[0]) === plainText(expected.text, ids[1])
  const reversed =
    answer.status === expected.status && plainText(answer.text, ids[1]) === plainText(expected.text, ids[0])
  proof.expect(
    isSame || reversed,
    `${what} has another answer than an unknown id: ${described(answer)}, ${described(expected)}`,
  )
}

function sameTool(
  proof: Proof,
  what: string,
  answer: ToolAnswer,
  expected: ToolAnswer,
  ids: readonly [string, string],
) {
  const isSame =
    answer.status === expected.status &&
    answer.isError === expected.isError &&
    plainText(answer.text, ids[0]) === plainText(expected.text, ids[1])
  proof.expect(isSame, `${what} has another answer than an unknown id: ${answer.text.slice(0, 80)}`)
}

/** A foreign id must be refused as an unknown one is, or as one of another workspace, in words that tell nothing else. */
function refusedTool(
  proof: Proof,
  { what, argument }: { readonly what: string; readonly argument: string },
  answer: ToolAnswer,
  expected: ToolAnswer,
  ids: readonly [string, string],
) {
  const isUnknown = expected.isError && expected.text.includes('"code":"not_found"')
  proof.expect(isUnknown, `${what} has no refusal for an unknown id: ${expected.text.slice(0, 80)}`)
  const isSame = answer.isError && plainText(answer.text, ids[0]) === plainText(expected.text, ids[1])
  const [told = '', body = ''] = answer.text.split('\n', 2)
  const away = `The record is in another workspace. \`${argument}\` `
  const isAway =
    answer.isError &&
    body.includes('"code":"not_in_workspace"') &&
    told.startsWith(away) &&
    /^(?:names a record of another workspace\.$|is not in this workspace; it belongs to )/.test(
      told.slice(away.length),
    )
  proof.expect(
    isSame || isAway,
    `${what} has another answer than an unknown id, or one of another workspace: ${answer.text.slice(0, 80)}`,
  )
}

/** Returns a text without the id that was sent, ids of requests, times and the name of the marks. */
function plainText(text: string, id: string): string {
  const name = /Text in <(\w{3,64})>/.exec(text)?.[1]
  const unmarked = name === undefined ? text : text.replaceAll(name, 'mark')
  return unmarked
    .replaceAll(id, '<id>')
    .replaceAll(encodeURIComponent(id), '<id>')
    .replace(/\\?"request_id\\?":\\?"[^"\\]{1,80}\\?"/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]{8,15}Z/g, '<time>')
}

async function homeOf({ connection }: Installation, key: string): Promise<string> {
  const who = await connection.ask('/api/functions/whoami', { method: 'POST', body: {}, key })
  const id = textAt(who.json, 'workspace', 'id')
  if (id === undefined) throw new Error(`The installation does not accept the other key: ${described(who)}.`)
  return id
}

/** The record types that are clamped by a workspace. `Workspace` itself is clamped by the agency. */
const clamped = (types: Installation['types']) => types.filter(({ name }) => name !== 'Workspace')

const filterOf = (id: string) => encodeURIComponent(JSON.stringify({ id }))

export const clampChecks = [workspaces, absent, ownWorkspaces, otherAgency, argumentsOfTools]
