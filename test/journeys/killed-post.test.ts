import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { where } from '../../core/contracts/where'
import { confirmPublished, publishAgain, retryPost } from '../../plugins/posts/acts/decide'
import { Post, type PostRow } from '../../plugins/posts/records/Post'
import { connectAll, killedTargets, openPosts, type PostProcess } from '../support/post-process'
import { killedPlatforms } from '../support/stand-ins/killed-platforms'

/** When a process is killed. `anywhere` is a random instant of its life, including that of a person's act. */
const instants = ['after the post', 'anywhere', 'before the post', 'after the answer', 'at the look'] as const
type Instant = (typeof instants)[number]

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 500 : 2))
/**
 * Each process believes that it starts so much later than the one before, so that looks are due. Each writes one post for
 * each platform. With less time, they write more in an hour than a platform accepts, and posts are too late for that alone.
 */
const minutesBetween = 6
/** One process lives after so many that were killed, so that every post gets its turn within the hour. */
const killedInARow = 3
const program = resolve(import.meta.dir, '../support/post-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-posts-'))
const path = join(folder, 'documents.sqlite')

let minutes = 0
/** What happens to the process that runs now, when the instant has come `left` times more. Happens once. */
let plan: { readonly at: Instant; left: number; kill(): void } | null = null
const killed = new Map<Instant, number>()
const total = () => [...killed.values()].reduce((sum, times) => sum + times, 0)
function strike(at: Instant, afterMs = 0): boolean {
  if (plan?.at !== at || plan.left-- > 0) return false
  const { kill } = plan
  plan = null
  killed.set(at, (killed.get(at) ?? 0) + 1)
  if (afterMs === 0) kill()
  else setTimeout(kill, afterMs)
  return true
}

const lost = () => new Response('<html>Bad Gateway</html>', { status: 502 })
const counts = { posts: 0, accepted: 0 }
const platforms = killedPlatforms(
  { now: () => Date.now() + minutes * 60_000 },
  {
    before(kind) {
      if (kind === 'look') {
        strike('at the look')
        return null
      }
      // Every seventh request never reaches the platform, beside those of the killed processes.
      return strike('before the post') || ++counts.posts % 7 === 0 ? lost() : null
    },
    after() {
      strike('after the post')
      strike('after the answer', 1 + Math.random() * 15)
      // Every fourth answer is lost.
      return ++counts.accepted % 4 === 0 ? lost() : null
    },
  },
)

let server: Bun.Server<undefined>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method !== 'PUT') return platforms.fetch(request)
      strike('anywhere', 1 + Math.random() * 800)
      return new Response('')
    },
  })
})
afterAll(async () => {
  await server?.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const nameOf = ({ content }: PostRow) => content.summary.replace(/\.$/, '')
const isUndecided = ({ status, failure_kind }: PostRow) =>
  status === 'failed' && failure_kind === 'unknown_outcome'

/** A post that a person was asked about, and whether it was there. */
interface Asked {
  readonly post: PostRow
  readonly isThere: boolean
}

/** Time passes until every post is settled. People decide about those that nobody could prove. */
async function settle(
  posts: PostProcess,
): Promise<{ rows: readonly PostRow[]; asked: Asked[]; missed: PostRow[]; unproved: string[] }> {
  const { owner } = posts.gate
  const asked: Asked[] = []
  const missed: PostRow[] = []
  let unproved: string[] = []
  for (let round = 0; round < 90; round++) {
    if (round === heldRounds) {
      unproved = await believedPending(posts)
      platforms.release()
    }
    posts.advance(minutesBetween)
    minutes += minutesBetween
    await posts.takeSteps()
    const failed = where.eq('status', 'failed')
    for (const post of await owner.rows(Post).list({ where: failed, limit: 5_000 })) {
      if (post.failure_kind === 'missed') {
        // Nothing was sent, and a person was told.
        expect(platforms.shown().has(nameOf(post))).toBe(false)
        missed.push(post)
        await retryPost(owner, post.id)
      }
      if (!isUndecided(post)) continue
      const isThere = platforms.shown().has(nameOf(post))
      asked.push({ post, isThere })
      if (isThere) {
        await confirmPublished(owner, { post_id: post.id, url: 'https://platform.test/post' })
      } else await publishAgain(owner, post.id)
    }
    const open = where.in('status', ['scheduled', 'publishing'])
    if (round > heldRounds && (await owner.rows(Post).count(open)) === 0) break
  }
  return { rows: await owner.rows(Post).list({ limit: 10_000 }), asked, missed, unproved }
}

/** After so many rounds an editor releases the pages that wait for one. */
const heldRounds = 20

/** Returns the posts that count as published though their platform still holds them back. */
async function believedPending({ gate: { owner } }: PostProcess): Promise<string[]> {
  const pending = platforms.pending()
  expect(pending.size).toBeGreaterThan(0)
  const published = await owner.rows(Post).list({ where: where.eq('status', 'published'), limit: 10_000 })
  return published.map(nameOf).filter((name) => pending.has(name))
}

test(`posts are each published once, though their process is killed ${kills} times`, async () => {
  const origin = server.url.origin
  const first = await openPosts(path, origin, 0)
  await connectAll(first)
  await first.stop()
  /** The killed processes since one that lived, which keeps posts from being more than an hour late. */
  let inARow = 0
  for (let n = 0; total() < kills; n++) {
    const running = Bun.spawn([process.execPath, program, path, origin, String(minutes)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const at = instants[n % instants.length] ?? 'anywhere'
    const isSpared = inARow >= killedInARow
    const left = at === 'anywhere' ? 0 : Math.floor(Math.random() * (at === 'at the look' ? 2 : 6))
    plan = isSpared ? null : { at, left, kill: () => running.kill('SIGKILL') }
    // A process that nobody kills has taken all its steps.
    const code = await running.exited
    expect([0, 137]).toContain(code)
    inARow = code === 0 ? 0 : inARow + 1
    minutes += minutesBetween
  }
  plan = null
  const last = await openPosts(path, origin, minutes)
  const { rows, asked, missed, unproved } = await settle(last)
  await last.stop()

  // A person who was killed in the act has a draft, and no answer that says more.
  const shown = platforms.shown()
  const wanted = rows.filter(({ status }) => status !== 'draft')
  const figures = {
    published: wanted.filter((post) => shown.get(nameOf(post)) === 1).length,
    twice: [...shown.values()].filter((times) => times > 1).length,
    lost: wanted.filter((post) => post.status !== 'published' || !shown.has(nameOf(post))).map(stateOf),
    unproved,
    drafts_shown: rows.filter((post) => post.status === 'draft' && shown.has(nameOf(post))).length,
    /** Where people were asked though the platform could have proved it. A receiver of webhooks cannot be read. */
    asked_in_vain: asked
      .filter(({ post, isThere }) => isThere && post.platform !== 'webhook')
      .map(({ post }) => stateOf(post)),
  }
  if (process.env.RENOWN_KILLS) {
    const unknown = Object.fromEntries(
      killedTargets.map((name) => [name, asked.filter(({ post }) => post.platform === name).length]),
    )
    console.log({
      ...figures,
      missed: missed.length,
      unknown,
      kills: Object.fromEntries(killed),
      posts: counts,
    })
  }
  expect(figures).toEqual({
    published: wanted.length,
    twice: 0,
    lost: [],
    unproved: [],
    drafts_shown: 0,
    asked_in_vain: [],
  })
  expect(wanted.length).toBeGreaterThan(kills)
  expect(total()).toBe(kills)
}, 3_600_000)

const stateOf = ({ platform, status, failure_kind, error_message }: PostRow) =>
  [platform, status, failure_kind, error_message].filter((part) => part !== undefined).join(' ')
