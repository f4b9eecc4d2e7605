import { hourMs, oneLine, ServiceFault, unreadable } from 'renown'
import { webAddress } from 'renown/sources'
import { othersRan } from './others-ran'
import { cleanText } from './plain-text'
import { policyOf } from './policy'
import type {
  FoundAuthor,
  FoundPost,
  MentionSource,
  ReadingRequest,
  Recheck,
  SourceContext,
  SourceReading,
  UnreadPost,
} from './source'

const idMax = 500
const cursorMax = 4_000
const titleMax = 300
/** Clocks of other computers are this much ahead at most. */
const aheadMs = hourMs

/** The code of a fault: the source needs settings first. */
export const noAccessCode = 'no_access'

/**
 * Reads a source once. Everything that Renown stores from a source passes here, so no source can store what its policy
 * forbids: texts without invisible characters and of limited length, web addresses only, each id once, no instant in
 * the future, and no author where the policy forbids it. Throws a ServiceFault if the source cannot be read or needs
 * settings (`no_access`), and the reason of the signal when the caller stops.
 */
export async function readSource(
  ctx: SourceContext,
  source: MentionSource,
  request: ReadingRequest,
): Promise<SourceReading> {
  const needs = source.needs(ctx)
  if (needs.length > 0) {
    const message = `${source.label} is not set up: set ${needs.join(' and ')}.`
    throw new ServiceFault('unsupported', message, { code: noAccessCode })
  }
  request.signal.throwIfAborted()
  const reading = await source.read(ctx, request)
  if ((reading.cursor?.length ?? 0) > cursorMax) throw unreadable(source.label, 'its cursor is too long')
  const seen = new Set<string>()
  const posts: FoundPost[] = []
  const unread: UnreadPost[] = [...reading.unread]
  const doubts: UnreadPost[] = [...(reading.doubts ?? [])]
  for (const given of reading.posts) {
    await othersRan()
    const { post, reason, doubt } = checkedPost(source, given, ctx.now())
    if (post === undefined) unread.push({ ...shortId(given.source_id), reason })
    else if (!seen.has(post.source_id)) {
      posts.push(post)
      if (doubt !== undefined) doubts.push({ ...shortId(given.source_id), reason: doubt })
    }
    seen.add(given.source_id)
  }
  return { ...reading, posts, unread, doubts }
}

/** Reads stored posts again, and checks them as `readSource` does. An answer that cannot be read deletes nothing. */
export async function recheckSource(
  ctx: SourceContext,
  source: MentionSource,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Recheck[]> {
  if (!source.recheck || ids.length === 0) return []
  const asked = new Set(ids)
  const found = await source.recheck(ctx, ids, signal)
  return found.flatMap((one): Recheck[] => {
    if (!asked.has(one.source_id)) return []
    if (one.state !== 'found') return [one]
    const { post } = checkedPost(source, one.post, ctx.now())
    return post === undefined ? [] : [{ ...one, post }]
  })
}

const shortId = (source_id: unknown) =>
  typeof source_id === 'string' && source_id !== '' ? { source_id: source_id.slice(0, idMax) } : {}

type Checked =
  | { readonly post: FoundPost; readonly reason?: never; readonly doubt: string | undefined }
  | { readonly post?: never; readonly reason: string; readonly doubt?: never }

function checkedPost(source: MentionSource, given: FoundPost, now: Date): Checked {
  const { source_id, channel, title, body, author, parent_url, language, posted_at, edited_at } = given
  if (source_id === '' || source_id.length > idMax || !isStorable(source_id)) return { reason: 'source_id' }
  if (!source.channels.includes(channel)) return { reason: 'channel' }
  const url = webAddress(given.url)
  if (url === undefined) return { reason: 'url' }
  const posted = posted_at === undefined ? undefined : notAhead(posted_at, now)
  const heading = oneLine(title, titleMax)
  const text = cleanText(body)
  if (heading === '' && text === '') return { reason: 'body' }
  const edited = edited_at === undefined ? undefined : notAhead(edited_at, now)
  const parent = webAddress(parent_url)
  const spoken = languageOf(language)
  const who = policyOf(source, channel).may_store_author ? checkedAuthor(author) : undefined
  return {
    post: {
      source_id,
      channel,
      url,
      body: text,
      ...(posted === undefined ? {} : { posted_at: posted }),
      ...(heading === '' ? {} : { title: heading }),
      ...(spoken === undefined ? {} : { language: spoken }),
      ...(who === undefined ? {} : { author: who }),
      ...(parent === undefined ? {} : { parent_url: parent }),
      ...(edited === undefined ? {} : { edited_at: edited }),
    },
    doubt: posted_at === undefined || posted !== undefined ? undefined : 'posted_at',
  }
}

/** Whether a store can hold an id and find it again: no control characters, no half of a surrogate pair. */
const isStorable = (id: string) => !/\p{Cc}/u.test(id) && id.isWellFormed()

/** The first instant that can be stored: that of the year 0. */
const firstMs = Date.parse('0000-01-01T00:00:00.000Z')

/**
 * Returns an instant as ISO 8601. Undefined if it cannot be read or stored, or lies further in the future than clocks differ: then
 * nobody knows when it was.
 */
function notAhead(instant: string, now: Date): string | undefined {
  const ms = Date.parse(instant)
  if (Number.isNaN(ms) || ms < firstMs || ms > now.getTime() + aheadMs) return undefined
  return new Date(ms).toISOString()
}

/** Returns a language tag in its shortest form: `fra` is `fr`. Undefined if it is none. */
function languageOf(tag: string | undefined): string | undefined {
  if (tag === undefined || !/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag)) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

function checkedAuthor(author: FoundAuthor | undefined): FoundAuthor | undefined {
  const handle = oneLine(author?.handle, 200)
  if (author === undefined || handle === '') return undefined
  const { followers } = author
  const name = oneLine(author.name, 200)
  const url = webAddress(author.url)
  const avatar_url = webAddress(author.avatar_url)
  return {
    handle,
    ...(name === '' ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(avatar_url === undefined ? {} : { avatar_url }),
    ...(Number.isSafeInteger(followers) && (followers ?? -1) >= 0 ? { followers: followers as number } : {}),
  }
}
