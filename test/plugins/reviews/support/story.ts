import type { AnyEntity } from '../../../../core/contracts/entity'
import { isRefusal } from '../../../../core/contracts/errors'
import { isServiceFault } from '../../../../core/contracts/service-fault'
import { Job } from '../../../../core/jobs/Job'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { ReviewObservation } from '../../../../plugins/reviews/records/ReviewObservation'
import { ReviewReply } from '../../../../plugins/reviews/records/ReviewReply'
import { platformWorld } from './platform-world'

type World = Awaited<ReturnType<typeof platformWorld>>
type Fields = Readonly<Record<string, unknown>>

const entities: readonly AnyEntity[] = [
  AutoResponseRules,
  BusinessLocation,
  Review,
  ReviewListing,
  ReviewObservation,
  ReviewReply,
  SyncStatus,
  Job,
  Notification,
  AuditEntry,
]
/** Fields that the product itself stamps, and those whose words may change. */
const leftOut = new Set(['id', 'created_date', 'updated_date', 'agency_id'])
const sentences = new Set(['title', 'body', 'error', 'message', 'what', 'why', 'note', 'says', 'reason'])
const randomId = /\b[a-z]{2,5}_[0-9A-HJKMNP-TV-Z]{26}\b/g
const hash = /\b[0-9a-f]{64}\b/g

/** One step of a story: what it changed in the stores, what it sent, and what it answered or threw. */
export interface StoryStep {
  readonly name: string
  readonly [part: string]: unknown
}

/**
 * Plays a story in a world with one location, and notes everything that each step changes in the stores, asks of the
 * platform and reports of its job. Random ids and hashes are numbered in the order in which they appear.
 */
export async function playStory(
  given: NonNullable<Parameters<typeof platformWorld>[0]>,
  play: (world: World, step: (name: string, act: () => Promise<unknown>) => Promise<void>) => Promise<void>,
): Promise<readonly StoryStep[]> {
  const calls: unknown[] = []
  const logged = (level: string) => (message: string, fields?: object) =>
    void calls.push({ logs: level, message, ...fields })
  const world = await platformWorld({
    ...given,
    onAsk: ({ method = 'GET', url, json }) => {
      const { pathname, search } = new URL(url)
      const isModel = pathname.endsWith('/chat/completions')
      if (!pathname.endsWith('/token'))
        calls.push(
          isModel ? 'asks the model' : `${method} ${pathname}${search} ${JSON.stringify(json ?? '')}`,
        )
    },
    onTask: (call, at) => void calls.push({ [call]: at }),
    log: { debug: logged('debug'), info: logged('info'), warn: logged('warn'), error: logged('error') },
  })
  const steps: StoryStep[] = []
  const { named, bare, label } = labels()
  let before = await rowsOf(world)
  const step = async (name: string, act: () => Promise<unknown>) => {
    calls.length = 0
    const ended = await act().then(
      (answer) => (answer === undefined ? {} : { answer }),
      (error: unknown) => ({ threw: faultOf(error) }),
    )
    const after = await rowsOf(world)
    for (const [key, { id, source_id }] of after)
      if (key.startsWith('Review ')) named(String(id), `rev_${source_id}`)
    // Rows of one moment have ids in no order.
    const changes = firstOf(changesOf(before, after).toSorted((a, b) => (bare(a) < bare(b) ? -1 : 1)))
    before = after
    steps.push(
      label({ name, ...ended, ...(calls.length > 0 ? { calls: [...calls] } : {}), changes }) as StoryStep,
    )
  }
  try {
    await play(world, step)
  } finally {
    await world.bench.stop()
  }
  return steps
}

function faultOf(error: unknown) {
  if (isRefusal(error)) return { refused: error.code, message: error.message, details: error.details }
  if (!isServiceFault(error)) return String(error)
  const { kind, code, message, retryAfterMs } = error
  return { kind, code, message, retryAfterMs }
}

/** All rows by entity and id, as plain JSON. */
async function rowsOf({ owner, workspace_id: own }: World): Promise<ReadonlyMap<string, Fields>> {
  const rows = new Map<string, Fields>()
  for (const entity of entities)
    for (const row of await owner.rows(entity).list({ limit: 1_000 })) {
      const { workspace_id, ...fields } = JSON.parse(JSON.stringify(row))
      // Nearly all rows are of the one workspace. Only others are noted.
      rows.set(`${entity.name} ${fields.id}`, {
        ...fields,
        ...(workspace_id === own ? {} : { of: workspace_id ?? null }),
      })
    }
  return rows
}

/** What became of rows: the fields of new ones, the changed fields of others, null for what is gone. */
function changesOf(before: ReadonlyMap<string, Fields>, after: ReadonlyMap<string, Fields>) {
  const changes: Record<string, unknown>[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(key) ?? {}
    const is = after.get(key)
    const names = Object.keys({ ...was, ...is }).filter(
      (name) => !leftOut.has(name) && JSON.stringify(was[name]) !== JSON.stringify(is?.[name]),
    )
    const fields = Object.fromEntries(names.map((name) => [name, is?.[name] ?? null]))
    const isNew = !before.has(key)
    if (is === undefined) changes.push({ gone: key })
    else if (isNew || names.length > 0) changes.push({ [isNew ? 'new' : 'changed']: key, ...fields })
  }
  return changes
}

/** So many rows of a kind and parts of a list are noted. Of those beyond, only their number is. */
const notedMax = 12

/** The first changes of each kind, and how many more there are. */
function firstOf(changes: readonly Fields[]): readonly Fields[] {
  const kindOf = (change: Fields) => String(change.new ?? change.changed ?? change.gone).split(' ')[0] ?? ''
  return [...Map.groupBy(changes, kindOf)].flatMap(([kind, ofKind]) =>
    ofKind.length <= notedMax
      ? ofKind
      : [...ofKind.slice(0, notedMax), { kind, more: ofKind.length - notedMax }],
  )
}

/** Puts numbers in the place of random ids and hashes, and of the words of sentences, which may change. */
function labels() {
  const known = new Map<string, string>()
  const labelled = (token: string, kind: string) => {
    const found = known.get(token) ?? `${kind}${known.size + 1}`
    known.set(token, found)
    return found
  }
  const bare = (change: object) =>
    JSON.stringify(change)
      .replaceAll(randomId, (id) => known.get(id) ?? '')
      .replaceAll(hash, '')
  const inText = (text: string) =>
    text
      .replaceAll(randomId, (id) => labelled(id, id.slice(0, id.indexOf('_') + 1)))
      .replaceAll(hash, (value) => labelled(value, '#'))
  const within = (value: unknown, name: string): unknown => {
    if (typeof value === 'string')
      return sentences.has(name)
        ? inText(value)
            .replaceAll(/[^\w#.]*[A-Za-z'’]{2,}[^\w#.]*/g, ' ')
            .trim()
        : inText(value)
    if (Array.isArray(value)) {
      const noted = value.slice(0, notedMax).map((one) => within(one, name))
      return value.length <= notedMax ? noted : [...noted, `${value.length - notedMax} more`]
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => [inText(key), within(one, key)]),
    )
  }
  return {
    /** Gives an id its name. */
    named: (id: string, name: string) => void known.set(id, name),
    /** A change with the names of ids that are known, and without all others. */
    bare,
    label: (value: unknown) => within(value, ''),
  }
}
