import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { ownerContext } from '../../../core/contexts/owner'
import type { AnyEntity, Row } from '../../../core/contracts/entity'
import { everything } from '../../../core/contracts/where'
import { fieldsOf } from '../../../core/kit/fields'
import { openColumns } from '../../../core/stores/columns/client'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import { openMongo } from '../../../core/stores/documents/mongo'
import { ConflictError, type Document, type Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { Agency } from '../../../core/tenancy/Agency'
import { AuditEntry } from '../../../core/tenancy/audit/AuditEntry'
import { PersonRequest } from '../../../core/tenancy/rights/PersonRequest'
import { User } from '../../../core/tenancy/User'
import { Workspace } from '../../../core/tenancy/Workspace'
import { createPersonRights } from '../../../core/transfer/person'
import { readNote, rememberBackups } from '../../../core/transfer/person/note'
import { personRowsOf } from '../../../core/transfer/person/rows'
import { Lead } from '../../../plugins/leads/records/Lead'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { freshColumnsTarget } from '../../support/chdb'
import { describeStores, mongoUri } from '../../support/mongo'
import { quietLog as log } from '../../support/quiet-log'
import { sampleRow } from '../../support/sample-row'
import { shippedRegistry } from '../../support/shipped'

const root = mkdtempSync(join(tmpdir(), 'renown-rights-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const now = () => new Date('2026-11-29T10:00:00Z')
const clock = { now }
const registry = shippedRegistry()
const documentTypes = [...registry.entities.values()].filter(
  ({ store, name }) => store === 'documents' && name !== PersonRequest.name,
)
const agency = 'agc_01kbrights0000000000000000'
const space = 'wsp_01kbrights0000000000000000'

const person = {
  email: 'plantessa.p@planted.example',
  name: 'Plantessa Plantowski',
  profile: 'https://social.example/plantessa',
  handle: '@plantessa_p',
  phone: '+49 170 7654321',
}
/** A text that names the person in each way. */
const naming = `Met Plantessa Plantowski (plantessa.p@planted.example, https://social.example/plantessa, @plantessa_p, +49 170 7654321).`
/** What the person wrote. */
const words =
  'The zebrawood counter was scratched and nobody at the reception wanted to hear about my broken umbrella'
const planted = [
  'plantessa',
  'Plantessa',
  'Plantowski',
  'plantowski',
  '7654321',
  'zebrawood',
  'umbrella',
  'onlyhers',
]
/** A text of the row that nobody would find by itself. */
const secret = (entity: AnyEntity) => `onlyhers ${entity.name}`

const setAt = (row: Record<string, unknown>, path: string, value: unknown) => {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) row[first] = value
  else {
    const inner = structuredClone((row[first] ?? {}) as Record<string, unknown>)
    inner[rest.join('.')] = value
    row[first] = inner
  }
}

/** Returns a row about the person, and one that only names them. */
function plantedRows(entity: AnyEntity): Document[] {
  const stamp = now().toISOString()
  const of = entity.scope.by === 'agency' ? agency : space
  const base = { workspace_id: of, created_date: stamp, updated_date: stamp }
  const named = {
    ...sampleRow(entity, [naming, person.name, person.profile, person.email], true),
    id: `${entity.idPrefix}_named_${entity.name}`,
    ...base,
  }
  const rows = personRowsOf(entity)
  const about: Record<string, unknown> = {
    ...sampleRow(entity, 'plain', true),
    id: `${entity.idPrefix}_about_${entity.name}`,
    ...base,
  }
  for (const field of rows?.words ?? []) setAt(about, field, words)
  if (typeof rows?.erase === 'object' || rows?.erase === 'row')
    for (const { name, kind, hidden } of fieldsOf(entity)) {
      const isErased = rows.erase === 'row' || Object.keys(rows.erase as object).includes(name)
      if (isErased && kind === 'string' && !hidden && about[name] === 'plain') about[name] = secret(entity)
    }
  if (rows?.erase === 'plugin')
    for (const name of [
      'notes',
      'reviewer_photo_url',
      'suggested_reply',
      'ai_suggested_response',
      'reply_text',
    ])
      if (name in entity.fields) about[name] = secret(entity)
  for (const [kind, paths] of Object.entries(rows?.who ?? {}))
    for (const path of paths ?? []) {
      if (typeof path === 'string') setAt(about, path, person[kind as keyof typeof person])
      else
        for (const [at, part] of person[kind as 'name'].split(' ').entries())
          setAt(about, path[at] ?? '', part)
    }
  if (entity.name === 'User') Object.assign(about, { role: 'member' })
  if (entity.name === 'Mention')
    setAt(about, 'author', { handle: 'plantessa_p', name: person.name, url: person.profile })
  for (const { field, entity: parent } of (rows?.through ?? []).slice(0, 1)) {
    const prefix = registry.entities.get(parent)?.idPrefix
    about[field] = `${prefix}_about_${parent}`
  }
  for (const row of [about, named] as Record<string, unknown>[]) {
    for (const field of rows?.packed ?? [])
      row[field] = zstdCompressSync(JSON.stringify({ said: naming, quote: words })).toString('base64')
    // Encrypted, so nobody can be named in it.
    for (const field of (entity.sealed ?? []) as readonly string[]) row[field] = 'sealed'
    for (const key of ['agency_id', 'business_location_id', 'location_id'])
      if (key in entity.fields) row[key] = key === 'agency_id' ? agency : 'loc_rights'
  }
  return [about as Document, named as unknown as Document]
}

async function plant(documents: Documents): Promise<number> {
  let count = 0
  for (const entity of documentTypes) {
    for (const row of plantedRows(entity)) {
      if (entity.name === 'Workspace')
        Object.assign(row, { id: space, workspace_id: space, agency_id: agency })
      if (entity.name === 'Agency') Object.assign(row, { id: agency, workspace_id: agency })
      try {
        await documents.collection(entity).insert(row)
        count++
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
    }
  }
  const stamp = now().toISOString()
  const base = { workspace_id: agency, created_date: stamp, updated_date: stamp }
  const owner = { id: 'usr_other', agency_id: agency, role: 'owner' as const, is_active: true, ...base }
  await documents.collection(User).insert(owner)
  return count
}

/** Everything that the documents store has, as text. */
async function textOf(documents: Documents): Promise<string> {
  let text = ''
  for (const entity of registry.entities.values()) {
    if (entity.store !== 'documents') continue
    for (const row of await documents.collection(entity).find({ where: everything, limit: 1_000 }))
      text += `${entity.name} ${JSON.stringify(row)}\n`
  }
  return text
}

const leftIn = (text: string) => {
  const lines = text.split('\n').filter((line) => planted.some((one) => line.includes(one)))
  return lines.map((line) => line.slice(0, 400))
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Returns the files in which a planted text stands. */
const filesWith = (folder: string): string[] =>
  filesOf(folder).filter((path) => {
    const bytes = readFileSync(path)
    return planted.some((text) => bytes.includes(text))
  })

const noColumns = { query: async () => [] } as unknown as ColumnsStore

function rightsIn(documents: Documents, columns: ColumnsStore, folder: string | null) {
  const owner = ownerContext({ registry, documents, columns, clock, log, onChanged: () => {} })
  return { owner, rights: createPersonRights({ registry, documents, columns, owner, clock, folder }) }
}

let places = 0
const stores = {
  SQLite: async () => {
    const folder = join(root, `data-${places++}`)
    mkdirSync(folder, { recursive: true })
    return {
      documents: (await openSqlite({ path: join(folder, 'documents.sqlite'), now, log })) as Documents,
      folder,
    }
  },
  MongoDB: async () => ({
    documents: (await openMongo({ uri: mongoUri() ?? 'mongodb://127.0.0.1:9/none', now, log })) as Documents,
    folder: null,
  }),
}
type Open = () => Promise<{ documents: Documents; folder: string | null }>

const typed = Object.fromEntries(Object.entries(person).map(([kind, text]) => [kind, [text]]))

describeStores<Open>(stores, 'a person planted in every record type in %s', (_, open) => {
  test('is found, erased, and in no file any more', async () => {
    const { documents, folder } = await open()
    try {
      await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
      expect(await plant(documents)).toBeGreaterThan(documentTypes.length)
      const before = leftIn(await textOf(documents)).length
      expect(before).toBeGreaterThan(documentTypes.length / 2)
      if (folder) expect(filesWith(folder).length).toBeGreaterThan(0)
      const { rights } = rightsIn(documents, noColumns, folder)
      const begun = await rights.begin(agency, typed, { host: 'command line' })
      const found = await rights.work(begun.id)
      expect(found.state).toBe('found')
      const silent = documentTypes.filter(
        (entity) => personRowsOf(entity)?.who && (found.about[entity.name] ?? []).length === 0,
      )
      expect(silent.map(({ name }) => name)).toEqual([])
      await rights.erase(found, [], { host: 'command line' })
      const erased = await rights.work(begun.id)
      expect(erased.state).toBe('erased')
      expect(leftIn(await textOf(documents))).toEqual([])
    } finally {
      await documents.close()
    }
    if (folder) expect(filesWith(folder)).toEqual([])
  }, 60_000)
})

/** A small installation in memory: the agency, its workspace, and another agency. */
async function small() {
  const documents = await openSqlite({ path: ':memory:', now, log })
  await documents.ensure(documentTypes.concat(PersonRequest))
  const stamp = now().toISOString()
  const dates = { created_date: stamp, updated_date: stamp }
  for (const [agencyId, spaceId] of [
    [agency, space],
    ['agc_foreign', 'wsp_foreign'],
  ] as const) {
    await documents.collection(Agency).insert({
      id: agencyId,
      workspace_id: agencyId,
      name: 'Agency',
      is_platform: false,
      is_active: true,
      ...dates,
    })
    const own = {
      ...sampleRow(Workspace, 'space'),
      id: spaceId,
      workspace_id: spaceId,
      agency_id: agencyId,
      ...dates,
    }
    await documents.collection(Workspace).insert(own as unknown as Row<typeof Workspace>)
  }
  let count = 0
  const lead = async (fields: Partial<Row<typeof Lead>>, workspace_id: string = space) => {
    const id = `led_${count++}`
    const row = { ...sampleRow(Lead, 'plain'), id, workspace_id, ...dates, ...fields, dispatch_key: id }
    await documents.collection(Lead).insert(row as unknown as Row<typeof Lead>)
    return id
  }
  return { documents, lead }
}
const by = { host: 'command line' }
const audited = (documents: Documents) =>
  documents.collection(AuditEntry).find({ where: everything, limit: 100 })

test('nothing of another agency is found or erased', async () => {
  const { documents, lead } = await small()
  const own = await lead({ email: person.email })
  const foreign = await lead({ email: person.email }, 'wsp_foreign')
  const { rights } = rightsIn(documents, noColumns, null)
  const { id } = await rights.begin(agency, { email: [person.email] }, by)
  const found = await rights.work(id)
  expect(found.about).toEqual({ Lead: [own] })
  await rights.erase(found, [], by)
  await rights.work(id)
  expect((await documents.collection(Lead).get(own))?.email).toBeUndefined()
  expect((await documents.collection(Lead).get(foreign))?.email).toBe(person.email)
  await documents.close()
})

test('an address is found in any writing, and another one is not', async () => {
  const { documents, lead } = await small()
  await lead({ email: 'Plantessa.P@PLANTED.example' })
  const other = await lead({
    email: 'not.plantessa.p@planted.example',
    notes: 'wrote to xplantessa.p@planted.example',
  })
  const { rights } = rightsIn(documents, noColumns, null)
  const { id } = await rights.begin(agency, { email: [` ${person.email.toUpperCase()} `] }, by)
  const { about, named } = await rights.work(id)
  expect([about.Lead?.length, named]).toEqual([1, {}])
  expect(JSON.stringify(await documents.collection(PersonRequest).get(id)).toLowerCase()).not.toContain(
    'plantessa',
  )
  expect((await documents.collection(Lead).get(other))?.notes).toContain('xplantessa')
  await documents.close()
})

test('rows that a person excluded stay, and the audit log names nobody', async () => {
  const { documents, lead } = await small()
  const hers = await lead({ first_name: 'Plantessa', last_name: 'Plantowski' })
  const namesake = await lead({ first_name: 'Plantessa', last_name: 'Plantowski' })
  const { rights } = rightsIn(documents, noColumns, null)
  const { id } = await rights.begin(agency, { name: [person.name] }, by)
  await rights.erase(await rights.work(id), [namesake], by)
  expect((await rights.work(id)).state).toBe('erased')
  expect((await documents.collection(Lead).get(hers))?.last_name).toBeUndefined()
  expect((await documents.collection(Lead).get(namesake))?.last_name).toBe('Plantowski')
  const entries = await audited(documents)
  expect(entries.map(({ action }) => action).sort()).toEqual(['person.erase', 'person.search'])
  expect(JSON.stringify(entries)).not.toMatch(/plant/i)
  await rights.erase(await rights.work(id), [], by)
  expect((await rights.work(id)).state).toBe('erased')
  expect(await audited(documents)).toHaveLength(2)
  await documents.close()
})

test('what belongs to a row that a person excluded stays too', async () => {
  const { documents } = await small()
  const stamp = now().toISOString()
  const own = { workspace_id: agency, created_date: stamp, updated_date: stamp }
  const hers = 'usr_hers'
  const namesake = 'usr_namesake'
  for (const id of [hers, namesake, 'usr_owner']) {
    const name = id === 'usr_owner' ? 'Somebody Else' : person.name
    const role = id === 'usr_owner' ? ('owner' as const) : ('member' as const)
    const user = { ...own, id, agency_id: agency, role, name, email: `${id}@agency.example`, is_active: true }
    await documents.collection(User).insert(user)
  }
  const belonging = documentTypes.flatMap((entity) =>
    (personRowsOf(entity)?.through ?? []).flatMap(({ field, entity: parent }) =>
      parent === 'User' ? [{ entity, field }] : [],
    ),
  )
  expect(belonging.length).toBeGreaterThan(4)
  const idOf = (entity: AnyEntity, user = '') => `${entity.idPrefix}_of_${user}`
  for (const { entity, field } of belonging)
    for (const user of [hers, namesake]) {
      const row = { ...sampleRow(entity, `plain ${user}`), ...own, id: idOf(entity, user), [field]: user }
      await documents.collection(entity).insert(row as unknown as Document)
    }
  const { rights } = rightsIn(documents, noColumns, null)
  const { id } = await rights.begin(agency, { name: [person.name] }, by)
  await rights.erase(await rights.work(id), [String(namesake)], by)
  expect((await rights.work(id)).state).toBe('erased')
  for (const { entity, field } of belonging) {
    const rows = await Promise.all(
      [hers, namesake].map((user) => documents.collection(entity).get(idOf(entity, user))),
    )
    expect([entity.name, rows.map((row) => row?.[field] ?? null)]).toEqual([
      entity.name,
      [null, 'usr_namesake'],
    ])
  }
  await documents.close()
})

/** Writes between two kills. `bun run long` kills after every write. */
const stride = process.env.RENOWN_LONG ? 1 : 6

test('an erasure that was killed after any write continues, with one audit entry', async () => {
  let kills = 0
  for (let last = 1; last < 400; last += stride) {
    const { documents, lead } = await small()
    await lead({ email: person.email, notes: words })
    await lead({ notes: naming, email: 'else@planted.test' })
    let writes = 0
    const dying: Documents = {
      ...documents,
      collection: ((entity: AnyEntity) => {
        const whole = documents.collection(entity)
        const updateOne: typeof whole.updateOne = async (...given) => {
          if (++writes > last) throw new Error('killed')
          return whole.updateOne(...given)
        }
        const remove: typeof whole.remove = async (...given) => {
          if (++writes > last) throw new Error('killed')
          return whole.remove(...given)
        }
        return { ...whole, updateOne, remove }
      }) as Documents['collection'],
    }
    const { rights } = rightsIn(dying, noColumns, null)
    const { id } = await rights.begin(agency, { email: [person.email], name: [person.name] }, by)
    const isKilled = await rights
      .work(id)
      .then((found) => rights.erase(found, [], by))
      .then(() => rights.work(id))
      .then(
        () => false,
        () => true,
      )
    const after = rightsIn(documents, noColumns, null).rights
    await after.resume(new AbortController().signal)
    const row = await documents.collection(PersonRequest).get(id)
    if (row?.state === 'found') {
      await after.erase(row, [], by)
      await after.work(id)
    }
    expect((await documents.collection(PersonRequest).get(id))?.state).toBe('erased')
    expect(
      leftIn(await textOf(documents)).filter((line) => !line.startsWith('Lead') || !line.includes('7654321')),
    ).toEqual([])
    expect((await audited(documents)).filter(({ action }) => action === 'person.erase')).toHaveLength(1)
    await documents.close()
    if (!isKilled) break
    kills++
  }
  expect(kills * stride).toBeGreaterThan(20)
}, 60_000)

test('the last owner of an agency cannot be erased', async () => {
  const { documents } = await small()
  const stamp = now().toISOString()
  const row = {
    id: 'usr_1',
    workspace_id: agency,
    agency_id: agency,
    role: 'owner' as const,
    email: person.email,
    is_active: true,
  }
  await documents.collection(User).insert({ ...row, created_date: stamp, updated_date: stamp })
  const { rights } = rightsIn(documents, noColumns, null)
  const { id } = await rights.begin(agency, { email: [person.email] }, by)
  expect(rights.erase(await rights.work(id), [], by)).rejects.toThrow('last owner')
  await documents.close()
})

test('backups get a note, and a restored one erases the person again', async () => {
  const folder = join(root, 'noted')
  const parent = join(root, 'backups')
  const backup = join(parent, 'renown-2026-11-01T00-00-00Z')
  for (const path of [folder, backup]) mkdirSync(path, { recursive: true })
  rememberBackups(folder, parent)
  rememberBackups(folder, join(root, 'gone'))
  const before = await small()
  await before.lead({ email: person.email })
  const { rights } = rightsIn(before.documents, noColumns, folder)
  const { id } = await rights.begin(agency, { email: [person.email] }, by)
  await rights.erase(await rights.work(id), [], by)
  const erased = await rights.work(id)
  expect([erased.noted_in, erased.missing_in]).toEqual([[backup], [join(root, 'gone')]])
  expect(filesWith(root)).toEqual([])
  await before.documents.close()
  // The documents of the backup are from before the search.
  const restored = await small()
  const again = await restored.lead({ email: person.email })
  const after = rightsIn(restored.documents, noColumns, backup).rights
  expect(await after.applyNote(readNote(backup))).toBe(1)
  await after.resume(new AbortController().signal)
  expect((await restored.documents.collection(Lead).get(again))?.email).toBeUndefined()
  expect(await after.applyNote(readNote(backup))).toBe(0)
  await restored.documents.close()
})

test('paths and names in tables are erased, and those of other agencies stay', async () => {
  const { documents } = await small()
  const stamp = now().toISOString()
  for (const [id, workspace_id] of [
    ['sit_own', space],
    ['sit_foreign', 'wsp_foreign'],
  ] as const) {
    const site = {
      ...sampleRow(AiTrafficSite, id),
      id,
      workspace_id,
      domain: `${id}.example`,
      created_date: stamp,
      updated_date: stamp,
    }
    await documents.collection(AiTrafficSite).insert(site as unknown as Row<typeof AiTrafficSite>)
  }
  const target = freshColumnsTarget()
  const columns = await openColumns(target, { log })
  try {
    await columns.ensure([...registry.tables.values()])
    const path = `/reset/${person.email}`
    const hit = (site: string, at: string) => ['crawl', site, '2026-11-28', at, 3]
    await columns.insert(
      'traffic_hits',
      ['kind', 'site_id', 'date', 'path', 'hits'],
      [hit('sit_own', path), hit('sit_own', '/menu'), hit('sit_foreign', path)],
    )
    const daily = ['id', 'workspace_id', 'site_id', 'date', 'rev', 'top_paths', 'agent_paths']
    const paths = JSON.stringify([{ path, hits: 3 }])
    await columns.insert('ai_traffic_daily', daily, [
      ['sit_own:2026-11-28', space, 'sit_own', '2026-11-28', 1, paths, null],
      ['sit_own:2026-11-28', space, 'sit_own', '2026-11-28', 2, paths, paths],
      ['sit_foreign:2026-11-28', 'wsp_foreign', 'sit_foreign', '2026-11-28', 1, paths, null],
    ])
    const { rights } = rightsIn(documents, columns, null)
    const { id } = await rights.begin(agency, { email: [person.email] }, by)
    const found = await rights.work(id)
    expect(found.tables).toEqual({ traffic_hits: 1, ai_traffic_daily: 2 })
    await rights.erase(found, [], by)
    expect((await rights.work(id)).state).toBe('erased')
    const left = async (table: string, column: string, site: string) =>
      (
        await columns.query<{ value: string }>(
          `SELECT ${column} AS value FROM ${table} WHERE site_id = '${site}' ORDER BY value`,
        )
      ).map(({ value }) => value)
    expect(await left('traffic_hits', 'path', 'sit_own')).toEqual(['/menu'])
    expect(await left('traffic_hits', 'path', 'sit_foreign')).toEqual([path])
    const own = JSON.stringify([{ path: '/reset/[erased]', hits: 3 }])
    expect(new Set(await left('ai_traffic_daily', 'top_paths', 'sit_own'))).toEqual(new Set([own]))
    expect((await left('ai_traffic_daily', 'agent_paths', 'sit_own')).filter(Boolean)).toEqual([own])
    expect(await left('ai_traffic_daily', 'top_paths', 'sit_foreign')).toEqual([paths])
  } finally {
    await columns.close()
    await documents.close()
  }
}, 60_000)
