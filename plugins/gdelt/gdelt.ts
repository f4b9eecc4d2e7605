import { dayMs, minuteMs, statusFault, toStorable, trimTrailing, unreadable } from 'renown'
import {
  cursorIn,
  type FoundPost,
  type MentionSource,
  publicPolicy,
  type SourceContext,
  type SourceReading,
  waitOf,
} from 'renown/leads'
import type { SafeAnswer } from 'renown/sources'
import * as v from 'valibot'
import { instantOf, postOfLine } from './gkg-row'
import { gdeltSettings } from './settings'
import { unzipFirst } from './unzip'

const what = 'The news of GDELT'
const stepMs = 15 * minuteMs
/** GDELT writes a file every 15 minutes. An older list is a copy that nobody renews. */
const staleMs = dayMs
const listBytesMax = 2 ** 20
const fileBytesMax = 64 * 2 ** 20
const textBytesMax = 256 * 2 ** 20
const timeoutMs = 60_000
/** Lines that are read at once. In between, other work can run. */
const linesAtOnce = 300

const position = v.object({ file: v.pipe(v.string(), v.regex(/^\d{14}$/)) })

/** The news of the world by GDELT, one file for each 15 minutes. GDELT gives titles and names, not the texts. */
export const gdelt: MentionSource = {
  name: 'gdelt',
  label: 'GDELT',
  channels: ['news'],
  reach: 'everything',
  everyMs: stepMs,
  policy: {
    ...publicPolicy,
    may_extract_contact: false,
    may_reply: 'never',
    attribution: 'The GDELT Project',
    terms_url: 'https://www.gdeltproject.org/about.html#termsofuse',
  },
  needs: (ctx) => (gdeltSettings.of(ctx).GDELT_READS === 'on' ? [] : ['GDELT_READS']),
  async read(ctx, { cursor, since, signal }) {
    const list = new TextDecoder().decode((await fetched(ctx, 'lastupdate.txt', listBytesMax, signal)).body)
    const [, latest] = /\/(\d{14})\.gkg\.csv\.zip\s*$/.exec(list) ?? []
    const latestAt = latest === undefined ? undefined : instantOf(latest)
    if (latest === undefined || latestAt === undefined) throw unreadable(what, 'the list names no file')
    if (ctx.now().getTime() - Date.parse(latestAt) > staleMs)
      throw unreadable(what, `the newest file is of ${latestAt.slice(0, 10)}`)
    const last = cursorIn(position, cursor)?.file ?? null
    const next = last === null ? latest : following(last, since)
    if (next > latest) return { posts: [], unread: [], cursor, isMore: false }
    const reading = await readFile(ctx, next, next < latest, signal)
    return { ...reading, cursor: JSON.stringify({ file: next }), isMore: next < latest }
  },
}

const stampOf = (ms: number) => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)

/** Returns the name of the next file, but of none before `since`. */
function following(file: string, since: string): string {
  const first = Math.ceil(Date.parse(since) / stepMs) * stepMs
  return stampOf(Math.max(Date.parse(instantOf(file) ?? since) + stepMs, first))
}

type FileReading = Pick<SourceReading, 'posts' | 'unread'>

/** Reads one file. GDELT sometimes leaves out one: a missing file with later files is counted and passed over. */
async function readFile(
  ctx: SourceContext,
  file: string,
  isPast: boolean,
  signal: AbortSignal,
): Promise<FileReading> {
  const answer = await fetched(ctx, `${file}.gkg.csv.zip`, fileBytesMax, signal, isPast)
  if (answer.status === 404) return { posts: [], unread: [{ reason: `the file ${file}` }] }
  const bytes = await unzipFirst(answer.body, textBytesMax).catch(() => {
    throw unreadable(what, 'the archive is damaged or too long')
  })
  const lines = toStorable(new TextDecoder().decode(bytes)).split('\n')
  const posts: FoundPost[] = []
  let unread = 0
  for (const [index, line] of lines.entries()) {
    if (index % linesAtOnce === linesAtOnce - 1) await Bun.sleep(0)
    signal.throwIfAborted()
    if (line.trim() === '') continue
    const post = postOfLine(line)
    if (post === undefined) unread++
    else if (post !== null) posts.push(post)
  }
  if (posts.length === 0 && unread > 0) throw unreadable(what, 'no line has the form of the knowledge graph')
  return { posts, unread: Array.from({ length: unread }, () => ({ reason: 'the line' })) }
}

async function fetched(
  ctx: SourceContext,
  name: string,
  maxBytes: number,
  signal: AbortSignal,
  mayBeMissing = false,
): Promise<SafeAnswer> {
  const url = `${trimTrailing(gdeltSettings.of(ctx).GDELT_URL, '/')}/${name}`
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const asked = ctx.outbound.safeFetch(url, { maxBytes, timeoutMs, plainHttp: true })
    const answer = await Promise.race([asked, stopped.promise])
    const { status, headers } = answer
    if (status === 200 || (status === 404 && mayBeMissing)) return answer
    const said = `GDELT answered with status ${status}.`
    throw statusFault({ status, retryAfterMs: waitOf(headers, ctx.now()) }, said) ?? unreadable(what, said)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
