import { isConflict, type NewRow, Refusal, type Row, refusedField, where } from 'renown'
import type { WorkspaceWriter } from 'renown/pages'
import { fetchRefusal, webAddress } from 'renown/sources'
import { checkKeywords, keywordAdvice } from '../keywords/check'
import { BrandTracker } from '../records/BrandTracker'
import type { Channel } from '../records/channels'
import { BusinessLocation } from '../records/foreign'
import { cleanText } from '../sources/plain-text'

/** Maximum feeds of one tracker. */
export const feedsMax = 20

type Location = Row<typeof BusinessLocation>
type Tracker = Row<typeof BrandTracker>

/** The rows of the workspace of a new tracker. */
type Rows = Pick<WorkspaceWriter, 'rows'>

/** What a person or an agent chose for a tracker. */
export interface TrackerChoice {
  readonly location_id: string
  readonly name?: string | undefined
  readonly keywords: readonly string[]
  readonly required_keywords?: readonly string[] | undefined
  readonly excluded_keywords?: readonly string[] | undefined
  readonly sources?: readonly Channel[] | undefined
  readonly languages?: readonly string[] | undefined
  readonly feeds?: readonly string[] | undefined
}

/** Stores a tracker. With `isFirst`, a location that has one already is refused with its id. */
export async function beginTracking(
  ctx: Rows,
  choice: TrackerChoice,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Tracker> {
  const location = await ownLocationOf(ctx, choice.location_id)
  const row = trackerRow(location, choice)
  const rows = ctx.rows(BrandTracker)
  if (!isFirst) return rows.insert(row)
  const known = await firstOf(ctx, location.id)
  if (known) throw alreadySetUp(known.id)
  try {
    return await rows.insert({ ...row, is_first: true })
  } catch (error) {
    if (!isConflict(error)) throw error
    const other = await firstOf(ctx, location.id)
    throw other ? alreadySetUp(other.id) : error
  }
}

/** Returns the oldest tracker of a location. */
async function firstOf(ctx: Rows, locationId: string): Promise<Tracker | undefined> {
  const [oldest] = await ctx.rows(BrandTracker).list({
    where: where.eq('location_id', locationId),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: 1,
  })
  return oldest
}

async function ownLocationOf(ctx: Rows, id: string): Promise<Location> {
  const location = await ctx.rows(BusinessLocation).get(id)
  if (!location) throw new Refusal('not_found', 'There is no such location in this workspace.')
  if (location.is_prospect || location.is_demo) {
    throw refusedField(
      'location_id',
      'Renown searches for mentions only of your own locations, not of prospects or a demo.',
    )
  }
  return location
}

function trackerRow(location: Location, choice: TrackerChoice): NewRow<typeof BrandTracker> {
  const { country } = location
  const lists = keywordLists(choice)
  const feeds = feedsOf(choice.feeds ?? [])
  return {
    location_id: location.id,
    name: choice.name ?? location.business_name,
    ...lists,
    sources: [...new Set(choice.sources ?? [])],
    languages: languagesOf(choice.languages ?? []),
    // A business without a physical location is talked about everywhere.
    countries: location.is_online_only || !country || !/^[A-Z]{2}$/.test(country) ? [] : [country],
    ...(feeds.length === 0 ? {} : { feeds }),
    is_active: true,
    mentions_total: 0,
  }
}

/** Returns the keyword lists without repetitions. Throws a Refusal that names each mistake and its place. */
export function keywordLists({
  keywords,
  required_keywords = [],
  excluded_keywords = [],
}: Pick<TrackerChoice, 'keywords' | 'required_keywords' | 'excluded_keywords'>) {
  const lists = {
    keywords: once(keywords),
    required_keywords: once(required_keywords),
    excluded_keywords: once(excluded_keywords),
  }
  const mistakes = checkKeywords(lists)
  const [first] = mistakes
  if (first) {
    throw new Refusal('invalid_field', `${first.message}.`, {
      errors: mistakes.map(({ field, index, message, at }) => ({
        pointer: `/${field}/${index}`,
        code: 'invalid',
        message: `${message} (character ${at + 1})`,
      })),
    })
  }
  return lists
}

/** Texts are longer than any keyword or address here, so that a longer one is refused and not cut. */
const lineMax = 4_000

const once = (texts: readonly string[]) => [
  ...new Set(
    texts.map((text) => cleanText(text, lineMax).replaceAll('\n', ' ')).filter((text) => text !== ''),
  ),
]

/** Returns the addresses of feeds in one form. */
export function feedsOf(given: readonly string[]): string[] {
  const feeds = once(given).map((text) => {
    const address = webAddress(text)
    if (address === undefined) throw refusedField('feeds', `${text} is no web address.`)
    const why = fetchRefusal(address)
    if (why !== null) throw refusedField('feeds', `${text} cannot be read: ${why}.`)
    return address
  })
  if (feeds.length > feedsMax) throw refusedField('feeds', `A tracker has at most ${feedsMax} feeds.`)
  return [...new Set(feeds)]
}

/** Returns language tags in their usual form. A tag that no post can have would hide every mention. */
export function languagesOf(given: readonly string[]): string[] {
  const tags = once(given).map((text, index) => {
    try {
      return Intl.getCanonicalLocales(text)[0] ?? text
    } catch {
      throw refusedField(`languages/${index}`, `${text} is no BCP 47 language tag, such as en or pt-BR.`)
    }
  })
  return [...new Set(tags)]
}

/** Returns sentences about keywords that probably do not mean what was intended. */
export const adviceOn = (keywords: readonly string[]): string[] =>
  keywords.flatMap((keyword) => keywordAdvice(keyword).map((advice) => `${keyword}: ${advice}`))

const alreadySetUp = (id: string) =>
  new Refusal('already_set_up', `This location has the tracker ${id}.`, { extra: { tracker_id: id } })
