import { listPage } from '../http/entities'
import { fitted, type Printed } from '../kit/model-text'
import { type Words, wordsOfEntity } from '../kit/words'
import { listBounds } from '../query/parse'
import type { AuthenticatedState } from '../requests/request'
import { fieldsLeftOut, type LeftOut, rowsLeft, shortRoom, withoutFields } from './short-answer'
import type { Arguments, ToolDeps } from './tool'

const limitDefault = 25
/** Maximum rows of a list. */
export const limitMax = 100

/** Returns a list, through the same query string as over HTTP. */
export async function listRows(
  deps: ToolDeps,
  state: AuthenticatedState,
  entity: string,
  asked: Arguments,
): Promise<Printed> {
  const { limit = limitDefault, ...meant } = asked
  const page = await pageOf(deps, state, entity, { limit, ...meant })
  const isShort = asked.limit === undefined
  const left =
    isShort && asked.fields === undefined
      ? fieldsLeftOut(page.rows, deps.registry.entities.get(entity)?.seldom)
      : nothing
  const shape = { entity, isShort, left }
  const answer = printedPage(deps, page, shape)
  const length = rowsLeft(answer)
  if (length === null || length === 0) return answer
  // Only the store knows the position after the last shown row.
  const shorter = await pageOf(deps, state, entity, { limit: length, ...meant })
  const { truncated } = answer.value
  return printedPage(deps, { ...shorter, ...(isShort ? {} : { truncated }) }, shape)
}

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly has_more: boolean
  readonly skip: number | undefined
  /** The positions of the next page, and the number of matching rows. */
  readonly about: Readonly<Record<string, unknown>>
  readonly truncated?: unknown
}

async function pageOf(
  deps: ToolDeps,
  state: AuthenticatedState,
  entity: string,
  asked: Arguments,
): Promise<Page> {
  const { body, headers } = await listPage(deps, { ...state, search: searchOf(asked) }, entity)
  const rows = JSON.parse(textOf(body)) as Page['rows']
  const has_more = headers['x-has-more'] === 'true'
  const skip = asked.cursor === undefined ? Number(asked.skip ?? 0) : undefined
  const next = skip === undefined ? undefined : skip + rows.length
  const about = {
    ...(has_more && next !== undefined && next <= listBounds.skipMax ? { next_skip: next } : {}),
    ...(has_more && headers['x-next-cursor'] ? { next_cursor: headers['x-next-cursor'] } : {}),
    ...(headers['x-total-count'] ? { total: Number(headers['x-total-count']) } : {}),
  }
  return { rows, has_more, skip, about }
}

const nothing: LeftOut = { nested: [], seldom: [] }

interface Shape {
  readonly entity: string
  readonly isShort: boolean
  /** The fields that are left out. */
  readonly left: LeftOut
}

function printedPage(deps: ToolDeps, page: Page, { entity, isShort, left }: Shape): Printed {
  const { rows, has_more, skip, about, truncated } = page
  const hint = isShort ? hintOf(has_more, left) : ''
  const whole = {
    rows: withoutFields(rows, [...left.nested, ...left.seldom]),
    has_more,
    ...about,
    ...(truncated === undefined ? {} : { truncated }),
    ...(hint === '' ? {} : { hint }),
  }
  const words: Words = {
    fields: new Map([['rows', { items: wordsNamed(deps, entity) } satisfies Words]]),
    others: 'ours',
  }
  return fitted(whole, { skip, words, ...(isShort ? { room: shortRoom } : {}) })
}

/** Says how to read what a list without a `limit` leaves out. */
const hintOf = (hasMore: boolean, { nested, seldom }: LeftOut): string =>
  [
    hasMore ? `Short, because the call has no limit. For more rows: limit up to ${limitMax}, or cursor.` : '',
    nested.length > 0 || seldom.length > 0
      ? `Left out: ${[...nested, ...(seldom.length > 0 ? ['seldom used fields'] : [])].join(', ')}. Name them in fields, or use get_record.`
      : '',
  ]
    .filter(Boolean)
    .join(' ')

/** Returns who wrote the fields of a record type. */
export function wordsNamed({ registry }: ToolDeps, name: string): Words {
  const entity = registry.entities.get(name)
  return entity ? wordsOfEntity(entity) : 'theirs'
}

/** Returns the arguments as the query string of the same request, so that one parser checks both. */
export function searchOf(args: Arguments): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue
    params.set(name, written(name, value))
  }
  return params.toString()
}

function written(name: string, value: unknown): string {
  if (name === 'fields' && Array.isArray(value)) return value.map(String).join(',')
  if (name === 'count' && typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const decoder = new TextDecoder()
/** Returns the text of an answer of the HTTP API. */
export const textOf = (body: string | Uint8Array) => (typeof body === 'string' ? body : decoder.decode(body))
